// expect: racecheck atomic plain
// A plain read races with the atomics of other threads.
#include "array.hpp"

__global__ void count(int *c, int *seen) {
  atomicAdd(c, 1); // @atomic
#ifdef FIXED
  seen[threadIdx.x] = atomicAdd(c, 0);
#else
  seen[threadIdx.x] = *c; // @plain
#endif
}

int main() {
  int *c = array<int>(1, 0), *seen = array<int>(64);
  count<<<1, 64>>>(c, seen);
  return cudaDeviceSynchronize();
}
