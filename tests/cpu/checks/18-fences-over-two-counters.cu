// expect: racecheck value use
// What is published by one counter, and again by a second one, is seen by who reads the second.
#include "array.hpp"

__global__ void relay(int *value, unsigned *first, unsigned *second, int *out) {
  if (threadIdx.x > 0)
    return;
  value[blockIdx.x] = 1; // @value
#ifdef FIXED
  __threadfence();
#endif
  const bool last = atomicAdd(first, 1u) == 3;
  __threadfence();
  if (last) // has taken over the values of four blocks, and passes them on
    atomicExch(second, 1u);
  __threadfence();
  if (atomicAdd(second, 0u) == 1)
    for (int i = 0; i < 4; ++i)
      out[blockIdx.x * 4 + i] = value[i]; // @use
}

int main() {
  int *value = array<int>(8), *out = array<int>(32);
  unsigned *first = array<unsigned>(1, 0), *second = array<unsigned>(1, 0);
  relay<<<8, 32>>>(value, first, second, out);
  return cudaDeviceSynchronize();
}
