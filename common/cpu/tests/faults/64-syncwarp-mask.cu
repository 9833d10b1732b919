// expect: synccheck meet last
// The mask names all lanes, half of them come.
#include "array.hpp"

__global__ void work(int *values) {
  const int t = threadIdx.x;
#ifdef FIXED
  if (t < 16)
    __syncwarp(0x0000ffff);
#else
  if (t < 16)
    __syncwarp(); // @meet
#endif
  values[t] = t;
  __syncthreads(); // @last
}

int main() {
  int *values = array<int>(32);
  work<<<1, 32>>>(values);
  cudaDeviceSynchronize();
  return 0;
}
