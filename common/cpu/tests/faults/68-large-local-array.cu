// expect: nothing
// A thread's own array of 32 KiB.
#include "array.hpp"

__global__ void work(int *out, int n) {
  int own[8192];
  for (int i = 0; i < n; ++i)
    own[i] = i;
#ifdef FIXED
  __syncthreads();
#endif
  out[threadIdx.x] = own[n - 1 - threadIdx.x];
}

int main() {
  int *out = array<int>(32);
  work<<<1, 32>>>(out, 8192);
  return cudaDeviceSynchronize();
}
