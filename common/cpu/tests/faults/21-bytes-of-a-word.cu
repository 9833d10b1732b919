// expect: racecheck write write
// Different bytes of one word are different memory; one byte for two threads is a race.
#include "array.hpp"

__global__ void mark(unsigned char *marks) {
#ifdef FIXED
  marks[threadIdx.x] = 1;
#else
  marks[threadIdx.x / 2] = 1; // @write
#endif
}

int main() {
  unsigned char *marks = array<unsigned char>(64);
  mark<<<1, 64>>>(marks);
  return cudaDeviceSynchronize();
}
