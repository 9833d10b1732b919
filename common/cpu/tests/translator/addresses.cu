__global__ void fill(float *x, int n);
template <class T> __global__ void scale(T *x);
void plain(float *x);
void launches(void **arguments) {
  cudaLaunchKernel((void *)fill, 1, 32, arguments);
  cudaLaunchKernel((const void *)&scale<float>, 1, 32, arguments);
  cudaLaunchCooperativeKernel(reinterpret_cast<void *>(scale<int>), 1, 32, arguments);
  cudaLaunchKernel(fill, 1, 32, arguments);
  void *address = (void *) ::fill;
  void *other = (void *)plain, *null = (void *)0;
  cudaLaunchKernel(address, 1, 32, arguments);
}
