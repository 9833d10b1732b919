// expect: synccheck barriers
// says: threads (128, 0, 0) to (255, 0, 0)
// says: 158-two-barriers-in-a-line.cu:15, number 2
// The halves of a block wait at two barriers that one line has.
#include "array.hpp"

__global__ void shift(int *values) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  // clang-format off
  s[t] = values[t]; __syncthreads(); values[t] = s[255 - t]; __syncthreads();
#ifdef FIXED
  __syncthreads(); values[t] += t < 128;
#else
  if (t < 128) { __syncthreads(); values[t] += 1; } else { __syncthreads(); } // @barriers
#endif
  // clang-format on
}

int main() {
  int *values = array<int>(256, 0);
  shift<<<1, 256>>>(values);
  cudaDeviceSynchronize();
  return 0;
}
