// expect: racecheck store load
// A barrier is missing; in ascending order the race looks like a read of what nobody wrote.
#include "array.hpp"

__global__ void shift(int *out) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = t; // @store
#ifdef FIXED
  __syncthreads();
#endif
  out[t] = t < 255 ? s[t + 1] : 0; // @load
}

int main() {
  int *out = array<int>(256);
  shift<<<1, 256>>>(out);
  return cudaDeviceSynchronize();
}
