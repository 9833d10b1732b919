// expect: racecheck partial total
// The last block adds up what the others left; without a fence it need not see it.
#include "array.hpp"

__global__ void sum(const int *in, int *partial, unsigned *done, int *total) {
  __shared__ bool last;
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t == 0) {
    int all = 0;
    for (int i = 0; i < 64; ++i)
      all += s[i];
    partial[blockIdx.x] = all; // @partial
#ifdef FIXED
    __threadfence();
#endif
    last = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    int all = 0;
    for (unsigned i = 0; i < gridDim.x; ++i)
      all += partial[i]; // @total
    *total = all;
  }
}

int main() {
  int *in = array<int>(640, 0), *partial = array<int>(10), *total = array<int>(1);
  unsigned *done = array<unsigned>(1, 0);
  sum<<<10, 64>>>(in, partial, done, total);
  return cudaDeviceSynchronize();
}
