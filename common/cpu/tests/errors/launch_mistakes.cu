// Natural mistakes around launches and CUDA's functions.
void check(cudaError_t status);
#define CUDA_CHECK(call) ::check((call))
__global__ void add(float a, const float *x, float *y) { y[threadIdx.x] = a * x[threadIdx.x]; }
void run(float a, const float *x, float *y, size_t bytes, cudaStream_t stream) {
  float *d_x = cudaMalloc(bytes);
  CUDA_CHECK(cudaMemcpy(d_x, x, bytes, HostToDevice));
  CUDA_CHECK(add<<<1, 32>>>(a, x, y));
  add<<<1, 32, stream>>>(a, x, y);
  y = a * x;
  CUDA_CHECK(cudaGetLastError())
  ::check(cudaFree(d_x));
  del d_x;
}
