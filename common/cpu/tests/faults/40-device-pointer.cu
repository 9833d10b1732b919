// expect: memcheck load
// Host code reads device memory without a copy.
#include "array.hpp"

int main() {
  int *values = array<int>(32, 0);
#ifdef FIXED
  int host = 0;
  cudaMemcpy(&host, values, sizeof host, cudaMemcpyDeviceToHost);
  return host;
#else
  return *values; // @load
#endif
}
