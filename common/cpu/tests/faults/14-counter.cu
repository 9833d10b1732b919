// expect: racecheck count count
// Every thread of the grid increments one number.
#include "array.hpp"

__global__ void count(int *c) {
#ifdef FIXED
  atomicAdd(c, 1);
#else
  *c = *c + 1; // @count
#endif
}

int main() {
  int *c = array<int>(1, 0);
  count<<<64, 256>>>(c);
  return cudaDeviceSynchronize();
}
