// expect: synccheck first other
// One branch has two barriers, the other has one.
#include "array.hpp"

__global__ void work(int *values) {
  const int t = threadIdx.x;
#ifdef FIXED
  __syncthreads();
#else
  if (t < 128) {
    __syncthreads(); // @first
    __syncthreads();
  } else {
    __syncthreads(); // @other
  }
#endif
  values[t] = t;
}

int main() {
  int *values = array<int>(256);
  work<<<1, 256>>>(values);
  cudaDeviceSynchronize();
  return 0;
}
