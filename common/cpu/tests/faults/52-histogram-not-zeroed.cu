// expect: initcheck count
// expect: initcheck flush
// 64 threads set 64 of 256 bins to zero.
#include "array.hpp"

__global__ void histogram(const int *values, int *bins) {
  __shared__ int counts[256];
  const int t = threadIdx.x;
#ifdef FIXED
  for (int i = t; i < 256; i += 64)
    counts[i] = 0;
#else
  counts[t] = 0;
#endif
  __syncthreads();
  atomicAdd(&counts[values[t]], 1); // @count
  __syncthreads();
  for (int i = t; i < 256; i += 64)
    atomicAdd(&bins[i], counts[i]); // @flush
}

int main() {
  int host[64];
  for (int i = 0; i < 64; ++i)
    host[i] = 4 * i;
  int *values = array<int>(64), *bins = array<int>(256, 0);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  histogram<<<1, 64>>>(values, bins);
  return cudaDeviceSynchronize();
}
