// expect: memcheck store
// says: the address is host memory
// A kernel gets the address of host memory.
#include "array.hpp"

#include <vector>

__global__ void fill(int *values) {
  values[threadIdx.x] = 1; // @store
}

int main() {
  std::vector<int> host(32);
#ifdef FIXED
  int *values = array<int>(32);
  fill<<<1, 32>>>(values);
#else
  fill<<<1, 32>>>(host.data());
#endif
  cudaDeviceSynchronize();
  return 0;
}
