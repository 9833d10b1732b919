// expect: racecheck zero count
// Some threads count before others have set the bins to zero.
#include "array.hpp"

__global__ void histogram(const int *values, int *bins) {
  __shared__ int counts[16];
  const int t = threadIdx.x;
  if (t < 16)
    counts[t] = 0; // @zero
#ifdef FIXED
  __syncthreads();
#endif
  atomicAdd(&counts[values[t]], 1); // @count
  __syncthreads();
  if (t < 16)
    atomicAdd(&bins[t], counts[t]);
}

int main() {
  int *values = array<int>(256, 0), *bins = array<int>(16, 0);
  histogram<<<2, 256>>>(values, bins);
  return cudaDeviceSynchronize();
}
