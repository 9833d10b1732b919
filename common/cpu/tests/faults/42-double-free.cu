// expect: memcheck again
// Memory is freed twice.
#include "array.hpp"

int main() {
  int *values = nullptr;
  cudaMalloc(&values, 128);
  cudaFree(values);
#ifndef FIXED
  cudaFree(values); // @again
#endif
  return 0;
}
