// expect: memcheck launch
// A kernel is launched into a stream of the device that was current before.
#include "array.hpp"

__global__ void fill(int *a) { a[threadIdx.x] = 1; }

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaSetDevice(1);
  int *a = array<int>(32);
#ifdef FIXED
  cudaStream_t second;
  cudaStreamCreate(&second);
  fill<<<1, 32, 0, second>>>(a);
  cudaStreamDestroy(second);
#else
  fill<<<1, 32, 0, stream>>>(a); // @launch
#endif
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  return 0;
}
