// expect: synccheck barrier last
// Threads go round a loop with a barrier different numbers of times.
#include "array.hpp"

__global__ void work(int *values) {
  const int t = threadIdx.x;
#ifdef FIXED
  const int rounds = 4;
#else
  const int rounds = t < 64 ? 3 : 4;
#endif
  for (int i = 0; i < rounds; ++i)
    __syncthreads(); // @barrier
  __syncthreads();   // @last
  values[t] = t;
}

int main() {
  int *values = array<int>(128);
  work<<<1, 128>>>(values);
  cudaDeviceSynchronize();
  return 0;
}
