// expect: racecheck read swap
// A product by compare-and-swap: the plain read at its start is confirmed by the swap; the one
// behind it is not.
#include "array.hpp"

__global__ void product(unsigned long long *all, unsigned long long *seen) {
  unsigned long long old = *all, expected;
  do {
    expected = old;
    old = atomicCAS(all, expected, expected * (threadIdx.x + 1)); // @swap
  } while (old != expected);
#ifdef FIXED
  seen[threadIdx.x] = old;
#else
  __syncwarp();
  seen[threadIdx.x] = *all; // @read
#endif
}

int main() {
  unsigned long long *all = array<unsigned long long>(1, 0);
  unsigned long long *seen = array<unsigned long long>(64);
  product<<<1, 64>>>(all, seen);
  return cudaDeviceSynchronize();
}
