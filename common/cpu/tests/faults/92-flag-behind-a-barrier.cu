// expect: synccheck look
// A thread waits for a flag that another one sets behind a barrier, which the first must reach,
// too.
#include "array.hpp"

__global__ void wait(int *out) {
  __shared__ int flag;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
#ifdef FIXED
  if (threadIdx.x == 100)
    atomicExch(&flag, 1);
#endif
  if (threadIdx.x == 0)
    while (atomicAdd(&flag, 0) == 0) // @look
      ;
  __syncthreads();
  if (threadIdx.x == 100)
    atomicExch(&flag, 1);
  out[threadIdx.x] = threadIdx.x;
}

int main() {
  int *out = array<int>(128);
  wait<<<1, 128>>>(out);
  return cudaDeviceSynchronize();
}
