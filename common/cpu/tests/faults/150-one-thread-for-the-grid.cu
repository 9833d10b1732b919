// expect: synccheck sync
// says: not all threads of a block reach the grid barrier at
// says: 0, 0) has returned, kernel sums launched at
// One thread of each block waits for the other blocks, while the others of its block return.
#include "array.hpp"

#include <cooperative_groups.h>

__global__ void sums(int *partial, int *out) {
  atomicAdd(&partial[blockIdx.x], int(threadIdx.x));
#ifdef FIXED
  cooperative_groups::this_grid().sync();
  if (threadIdx.x > 0)
    return;
#else
  if (threadIdx.x > 0)
    return;
  cooperative_groups::this_grid().sync(); // @sync
#endif
  out[blockIdx.x] = partial[0] + partial[1];
}

int main() {
  int *partial = array<int>(2, 0), *out = array<int>(2);
  void *arguments[] = {&partial, &out};
  cudaLaunchCooperativeKernel(sums, dim3(2), dim3(64), arguments);
  return cudaDeviceSynchronize();
}
