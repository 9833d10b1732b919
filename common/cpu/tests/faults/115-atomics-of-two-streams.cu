// expect: racecheck count read
// Two streams count with atomics, which is right; the host waits for one of them.
#include "array.hpp"

__global__ void count(int *n) {
  atomicAdd(n, 1); // @count
}

int main() {
  int *n = nullptr;
  cudaMallocManaged(&n, sizeof(int));
  *n = 0;
  cudaStream_t stream[2];
  for (auto &s : stream) {
    cudaStreamCreate(&s);
    count<<<1, 64, 0, s>>>(n);
  }
#ifdef FIXED
  for (int i = 0; i < 2; ++i)
    cudaStreamSynchronize(stream[i]);
#else
  cudaStreamSynchronize(stream[1]);
  cudaStreamQuery(stream[0]); // runs here, so that the other one's accesses come first
  cudaStreamSynchronize(stream[1]);
#endif
  volatile int result = *n; // @read
  (void)result;
  for (auto s : stream)
    cudaStreamDestroy(s);
  cudaDeviceSynchronize();
  cudaFree(n);
  return 0;
}
