// expect: racecheck count count
// says: give each thread an index of its own, let only one thread write, or use an atomic operation
// The same in global memory.
#include "array.hpp"

__global__ void histogram(const int *values, int *bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  atomicAdd(&bins[values[i]], 1);
#else
  bins[values[i]]++; // @count
#endif
}

int main() {
  int *values = array<int>(1024, 0), *bins = array<int>(16, 0);
  histogram<<<8, 128>>>(values, bins);
  return cudaDeviceSynchronize();
}
