// expect: memcheck store
// says: index 8 is outside count, an array of type int [8]
// A thread's own array has 8 elements.
#include "array.hpp"

__global__ void bins(const int *in, int *out, int n) {
  int count[8] = {};
  for (int i = 0; i < n; ++i)
    count[in[i]] += 1; // @store
  out[threadIdx.x] = count[threadIdx.x % 8];
}

int main() {
  int host[4] = {0, 1, 8, 2};
#ifdef FIXED
  host[2] = 7;
#endif
  int *in = array<int>(4), *out = array<int>(32);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  bins<<<1, 32>>>(in, out, 4);
  return cudaDeviceSynchronize();
}
