// expect: synccheck sync
// Blocks without work return before the barrier of the grid, which waits for all.
#include "array.hpp"

#include <cooperative_groups.h>

__global__ void mean(const float *a, float *sum, float *b, int n) {
#ifndef FIXED
  if (blockIdx.x * blockDim.x >= n)
    return;
#endif
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, a[i]);
  cooperative_groups::this_grid().sync(); // @sync
  if (i < n)
    b[i] = a[i] - *sum / n;
}

int main() {
  int n = 40;
  float *a = array<float>(n, 0), *sum = array<float>(1, 0), *b = array<float>(n);
  void *arguments[] = {&a, &sum, &b, &n};
  cudaLaunchCooperativeKernel(mean, dim3(4), dim3(32), arguments);
  cudaDeviceSynchronize();
  return 0;
}
