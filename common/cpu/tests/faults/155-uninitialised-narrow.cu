// expect: initcheck add
// Elements of two bytes without values: two threads share each word of memory, but no element. This
// is no race.
#include "array.hpp"

__global__ void count(unsigned short *counts) {
  counts[threadIdx.x] = counts[threadIdx.x] + 1; // @add
}

int main() {
#ifdef FIXED
  unsigned short *counts = array<unsigned short>(32, 0);
#else
  unsigned short *counts = array<unsigned short>(32);
#endif
  count<<<1, 32>>>(counts);
  return cudaDeviceSynchronize();
}
