// expect: memcheck load
// A kernel uses memory that was freed.
#include "array.hpp"

__global__ void copy(const int *in, int *out) {
  out[threadIdx.x] = in[threadIdx.x]; // @load
}

int main() {
  int *in = nullptr;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  int *out = array<int>(32);
#ifndef FIXED
  cudaFree(in);
#endif
  copy<<<1, 32>>>(in, out);
#ifdef FIXED
  cudaFree(in);
#endif
  return cudaDeviceSynchronize();
}
