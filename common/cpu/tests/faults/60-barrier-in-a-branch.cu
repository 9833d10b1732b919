// expect: synccheck barrier
// Half of the threads pass by the barrier and go on.
#include "array.hpp"

__global__ void shift(int *values) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = values[t];
#ifdef FIXED
  __syncthreads();
#else
  if (t < 128)
    __syncthreads(); // @barrier
#endif
  values[t] = s[t];
}

int main() {
  int *values = array<int>(256, 0);
  shift<<<1, 256>>>(values);
  cudaDeviceSynchronize();
  return 0;
}
