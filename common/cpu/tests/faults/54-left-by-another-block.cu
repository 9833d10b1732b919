// expect: initcheck load
// Shared memory keeps nothing from one block to the next.
#include "array.hpp"

__global__ void fill(int *out) {
  __shared__ int s[32];
#ifdef FIXED
  s[threadIdx.x] = 1;
#else
  if (blockIdx.x == 0)
    s[threadIdx.x] = 1;
#endif
  __syncthreads();
  out[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x]; // @load
}

int main() {
  int *out = array<int>(64);
  fill<<<2, 32>>>(out);
  return cudaDeviceSynchronize();
}
