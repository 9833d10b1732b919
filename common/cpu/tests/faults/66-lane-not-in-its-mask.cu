// expect: synccheck shuffle
// Lanes call with a mask that does not name them.
#include "array.hpp"

__global__ void work(int *values) {
  const int t = threadIdx.x;
#ifdef FIXED
  const unsigned mask = 0xffffffff;
#else
  const unsigned mask = 0x0000ffff;
#endif
  values[t] = __shfl_xor_sync(mask, t, 1); // @shuffle
}

int main() {
  int *values = array<int>(32);
  work<<<1, 32>>>(values);
  cudaDeviceSynchronize();
  return 0;
}
