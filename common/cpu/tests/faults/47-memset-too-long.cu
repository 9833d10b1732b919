// expect: memcheck fill
// memset counts bytes; here it gets four times as many as there are.
#include "array.hpp"

#include <cstring>

__global__ void clear(unsigned char *marks, int n) {
#ifdef FIXED
  memset(marks, 0, n);
#else
  memset(marks, 0, n * sizeof(int)); // @fill
#endif
}

int main() {
  unsigned char *marks = array<unsigned char>(100);
  clear<<<1, 1>>>(marks, 100);
  return cudaDeviceSynchronize();
}
