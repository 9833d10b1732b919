// expect: racecheck count reset
// Who counts last may set the counter back for the next launch; who does not know that may not.
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
