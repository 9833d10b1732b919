// expect: memcheck store
// The launch gives bytes for half of the elements.
#include "array.hpp"

__global__ void reverse(int *values) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = values[t]; // @store
  __syncthreads();
  if (t < 64)
    values[t] = s[t];
}

int main() {
  int *values = array<int>(128, 0);
#ifdef FIXED
  reverse<<<1, 128, 128 * sizeof(int)>>>(values);
#else
  reverse<<<1, 128, 64 * sizeof(int)>>>(values);
#endif
  return cudaDeviceSynchronize();
}
