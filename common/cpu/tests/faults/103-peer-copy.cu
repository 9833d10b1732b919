// expect: racecheck fill copy
// A copy in a stream of one device does not wait for the kernel of the other.
#include "array.hpp"

__global__ void fill(int *a) {
  a[threadIdx.x] = 1; // @fill
}

int main() {
  int *a = array<int>(32);
  cudaSetDevice(1);
  int *b = array<int>(32);
  cudaStream_t second;
  cudaStreamCreate(&second);
  cudaSetDevice(0);
  cudaStream_t first;
  cudaStreamCreate(&first);
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  fill<<<1, 32, 0, first>>>(a);
  cudaEventRecord(filled, first);
  cudaSetDevice(1);
#ifdef FIXED
  cudaStreamWaitEvent(second, filled);
#endif
  cudaMemcpyPeerAsync(b, 1, a, 0, 32 * sizeof(int), second); // @copy
  cudaStreamSynchronize(second);
  cudaStreamDestroy(second);
  cudaSetDevice(0);
  cudaDeviceSynchronize();
  cudaStreamDestroy(first);
  cudaEventDestroy(filled);
  return 0;
}
