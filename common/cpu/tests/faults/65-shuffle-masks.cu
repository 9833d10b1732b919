// expect: synccheck low high
// The two halves of a warp name each other in their masks, but shuffle in different places.
#include "array.hpp"

__global__ void work(int *values) {
  const int t = threadIdx.x;
#ifdef FIXED
  const unsigned low = 0x0000ffff, high = 0xffff0000;
#else
  const unsigned low = 0xffffffff, high = 0xffffffff;
#endif
  int value = t;
  if (t < 16)
    value = __shfl_down_sync(low, value, 1, 16); // @low
  else
    value = __shfl_up_sync(high, value, 1, 16); // @high
  values[t] = value;
}

int main() {
  int *values = array<int>(32);
  work<<<1, 32>>>(values);
  cudaDeviceSynchronize();
  return 0;
}
