// expect: racecheck write read
// The blocks of a cooperative launch need the grid's barrier, the block's is not enough.
#include "array.hpp"

#include <cooperative_groups.h>

__global__ void step(int *values, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  values[i] = i; // @write
#ifdef FIXED
  cooperative_groups::this_grid().sync();
#else
  __syncthreads();
#endif
  out[i] = values[(i + blockDim.x) % n]; // @read
}

int main() {
  int *values = array<int>(128), *out = array<int>(128);
  void *arguments[] = {&values, &out};
  cudaLaunchCooperativeKernel(step, dim3(2), dim3(64), arguments, 0, nullptr);
  return cudaDeviceSynchronize();
}
