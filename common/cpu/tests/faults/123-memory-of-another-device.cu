// expect: memcheck read
// A kernel of one device reads memory of another, which it has not been given access to.
#include "array.hpp"

__global__ void copy(const int *a, int *b) {
  b[threadIdx.x] = a[threadIdx.x]; // @read
}

int main() {
  int *a = array<int>(32, 0);
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  int *b = array<int>(32);
#ifdef FIXED
  cudaDeviceEnablePeerAccess(0, 0);
#endif
  copy<<<1, 32>>>(a, b);
  cudaDeviceSynchronize();
  return 0;
}
