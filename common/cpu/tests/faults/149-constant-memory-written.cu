// expect: memcheck by_name
// expect: memcheck by_address
// Kernels read constant memory, and do not write it: NVIDIA's nvcc leaves out the first of these
// writes, with a warning.
#include "array.hpp"

#ifdef FIXED
__device__ int factors[4];
#else
__constant__ int factors[4];
#endif

__global__ void set() {
  factors[threadIdx.x] = 1; // @by_name
}

__global__ void scale(int *x) {
  x[threadIdx.x] *= 2; // @by_address
}

int main() {
  void *address = nullptr;
  cudaGetSymbolAddress(&address, factors);
  set<<<1, 4>>>();
  scale<<<1, 4>>>(static_cast<int *>(address));
  return cudaDeviceSynchronize();
}
