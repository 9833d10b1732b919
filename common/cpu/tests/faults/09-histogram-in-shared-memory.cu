// expect: racecheck count count
// says: give each thread an index of its own, let only one thread write, or use an atomic operation
// Two threads increment one bin at once: ++ is a load and a store.
#include "array.hpp"

__global__ void histogram(const int *values, int *bins) {
  __shared__ int counts[16];
  const int t = threadIdx.x;
  if (t < 16)
    counts[t] = 0;
  __syncthreads();
#ifdef FIXED
  atomicAdd(&counts[values[t]], 1);
#else
  counts[values[t]]++; // @count
#endif
  __syncthreads();
  if (t < 16)
    atomicAdd(&bins[t], counts[t]);
}

int main() {
  int *values = array<int>(256, 0), *bins = array<int>(16, 0);
  histogram<<<2, 256>>>(values, bins);
  return cudaDeviceSynchronize();
}
