template <class T> __device__ int side(T);
template <> __device__ int side<int>(int) {
#ifdef __CUDA_ARCH__
  return 1;
#endif
}
__device__ int behind() { return 2; }
