// expect: memcheck load
// The last thread reads past the end of a shared array, through a pointer.
#include "array.hpp"

__device__ int right_of(const int *s, int i) {
  return s[i + 1]; // @load
}

__global__ void shift(int *out) {
  __shared__ int s[256], other[256];
  const int t = threadIdx.x;
  s[t] = other[t] = t;
  __syncthreads();
#ifdef FIXED
  out[t] = t < 255 ? right_of(s, t) : 0;
#else
  out[t] = right_of(s, t);
#endif
}

int main() {
  int *out = array<int>(256);
  shift<<<1, 256>>>(out);
  return cudaDeviceSynchronize();
}
