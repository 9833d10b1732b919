// expect: memcheck store
// The allocation was forgotten.
#include "array.hpp"

__global__ void fill(int *values) {
  values[threadIdx.x] = 1; // @store
}

int main() {
#ifdef FIXED
  int *values = array<int>(32);
  fill<<<1, 32>>>(values);
#else
  fill<<<1, 32>>>(nullptr);
#endif
  cudaDeviceSynchronize();
  return 0;
}
