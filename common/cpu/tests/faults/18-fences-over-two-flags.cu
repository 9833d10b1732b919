// expect: racecheck value use
// A flag hands on what a counter publishes: a thread that reads the flag sees all of it.
#include "array.hpp"

__global__ void relay(int *value, unsigned *counter, unsigned *flag, int *out) {
  if (threadIdx.x > 0)
    return;
  if (blockIdx.x < 4) {
    value[blockIdx.x] = 1; // @value
#ifdef FIXED
    __threadfence();
#endif
    if (atomicAdd(counter, 1u) == 3) { // the last of four has taken over what the others published
      __threadfence();
      atomicExch(flag, 1u);
    }
  }
  if (*const_cast<volatile unsigned *>(flag) == 1) {
    __threadfence();
    for (int i = 0; i < 4; ++i)
      out[blockIdx.x * 4 + i] = value[i]; // @use
  }
}

int main() {
  int *value = array<int>(4), *out = array<int>(32);
  unsigned *counter = array<unsigned>(1, 0), *flag = array<unsigned>(1, 0);
  relay<<<8, 32>>>(value, counter, flag, out);
  return cudaDeviceSynchronize();
}
