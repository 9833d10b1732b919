// expect: memcheck assign
// expect: memcheck print
// Host code has a variable of its own in the place of a __device__ one.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int counter;
__constant__ float factors[4];
static __device__ int written_by_kernels[64];
__device__ const int one = 1; // known when it is compiled

__global__ void count() {
  counter += one;
  written_by_kernels[threadIdx.x] = int(factors[0]);
}

int main() {
  int value = one - 1;
#ifdef FIXED
  const float factor = 2;
  cudaMemcpyToSymbol(factors, &factor, sizeof factor);
#else
  factors[0] = 2;  // @assign
#endif
  count<<<1, 1>>>();
  cudaDeviceSynchronize();
#ifdef FIXED
  cudaMemcpyFromSymbol(&value, counter, sizeof value);
#else
  value = counter; // @print
#endif
  std::printf("%d\n", value);
  return 0;
}
