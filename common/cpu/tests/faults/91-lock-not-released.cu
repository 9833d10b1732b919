// expect: synccheck take
// A lock that nobody releases.
#include "array.hpp"

__global__ void add(int *lock, int *sum) {
  if (threadIdx.x > 0)
    return;
  while (atomicCAS(lock, 0, 1) != 0) // @take
    ;
  __threadfence();
  *sum += blockIdx.x;
  __threadfence();
#ifdef FIXED
  atomicExch(lock, 0);
#endif
}

int main() {
  int *lock = array<int>(1, 0), *sum = array<int>(1, 0);
  add<<<8, 32>>>(lock, sum);
  return cudaDeviceSynchronize();
}
