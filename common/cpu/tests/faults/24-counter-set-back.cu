// expect: racecheck count reset
// The thread that counts last may reset the counter for the next launch; no other thread may.
#include "array.hpp"

__global__ void count(unsigned *done) {
  if (threadIdx.x > 0)
    return;
  __threadfence();
#ifdef FIXED
  const bool last = atomicAdd(done, 1u) == gridDim.x - 1;
#else
  const bool last = atomicAdd(done, 1u) == gridDim.x / 2; // @count
#endif
  if (last)
    *done = 0; // @reset
}

int main() {
  unsigned *done = array<unsigned>(1, 0);
  for (int launch = 0; launch < 2; ++launch)
    count<<<10, 32>>>(done);
  return cudaDeviceSynchronize();
}
