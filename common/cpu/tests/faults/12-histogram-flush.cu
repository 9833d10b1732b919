// expect: racecheck count flush
// Some threads flush bins while others still count.
#include "array.hpp"

__global__ void histogram(const int *values, int *bins) {
  __shared__ int counts[16];
  const int t = threadIdx.x;
  if (t < 16)
    counts[t] = 0;
  __syncthreads();
  atomicAdd(&counts[values[t]], 1); // @count
#ifdef FIXED
  __syncthreads();
#endif
  if (t < 16)
    atomicAdd(&bins[t], counts[t]); // @flush
}

int main() {
  int *values = array<int>(256, 0), *bins = array<int>(16, 0);
  histogram<<<2, 256>>>(values, bins);
  return cudaDeviceSynchronize();
}
