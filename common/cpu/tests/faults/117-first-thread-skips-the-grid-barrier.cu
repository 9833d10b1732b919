// expect: synccheck sync
// The first thread of the last block returns before the barrier of the grid.
#include "array.hpp"

#include <cooperative_groups.h>

__global__ void two_steps(int *a) {
#ifndef FIXED
  if (blockIdx.x == 1 && threadIdx.x == 0)
    return;
#endif
  atomicAdd(&a[0], 1);
  cooperative_groups::this_grid().sync(); // @sync
  atomicAdd(&a[1], 1);
}

int main() {
  int *a = array<int>(2, 0);
  void *arguments[] = {&a};
  cudaLaunchCooperativeKernel(two_steps, dim3(2), dim3(32), arguments);
  cudaDeviceSynchronize();
  return 0;
}
