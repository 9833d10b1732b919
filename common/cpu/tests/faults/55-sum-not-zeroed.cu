// expect: initcheck add
// Atomics add to a sum that has no value.
#include "array.hpp"

__global__ void count(int *sum) {
  atomicAdd(sum, 1); // @add
}

int main() {
  int *sum = array<int>(1);
#ifdef FIXED
  cudaMemset(sum, 0, sizeof(int));
#endif
  count<<<1, 32>>>(sum);
  return cudaDeviceSynchronize();
}
