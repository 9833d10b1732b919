// expect: memcheck load
// A scan for 128 elements gets 100.
#include "array.hpp"

__global__ void scan(int *values, int n) {
  __shared__ int s[128];
  const int t = threadIdx.x;
#ifdef FIXED
  s[t] = t < n ? values[t] : 0;
#else
  s[t] = values[t]; // @load
#endif
  __syncthreads();
  for (int distance = 1; distance < 128; distance *= 2) {
    const int left = t >= distance ? s[t - distance] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  if (t < n)
    values[t] = s[t];
}

int main() {
  int *values = array<int>(100, 0);
  scan<<<1, 128>>>(values, 100);
  return cudaDeviceSynchronize();
}
