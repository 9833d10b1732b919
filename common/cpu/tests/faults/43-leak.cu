// expect: memcheck allocation
// Memory is never freed.
#include "array.hpp"

int main() {
  int *values = nullptr;
  cudaMalloc(&values, 128); // @allocation
#ifdef FIXED
  cudaFree(values);
#endif
  return 0;
}
