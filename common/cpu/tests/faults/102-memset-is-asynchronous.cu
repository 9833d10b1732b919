// expect: racecheck zero count
// cudaMemset of device memory returns at once; a non-blocking stream does not wait for it.
#include "array.hpp"

__global__ void count(int *n) {
  atomicAdd(n, 1); // @count
}

int main() {
  int *n = array<int>(1);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
#ifdef FIXED
  cudaMemsetAsync(n, 0, sizeof(int), stream);
#else
  cudaMemset(n, 0, sizeof(int)); // @zero
#endif
  count<<<1, 64, 0, stream>>>(n);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  return 0;
}
