// expect: racecheck count read
// The host reads a managed variable while the kernel may still write it.
#include <cuda_runtime.h>

__managed__ int hits = 3;

__global__ void count() {
  atomicAdd(&hits, 1); // @count
}

int main() {
  hits = 0;
  count<<<1, 64>>>();
#ifdef FIXED
  cudaDeviceSynchronize();
#endif
  volatile int result = hits; // @read
  (void)result;
  cudaDeviceSynchronize();
  return 0;
}
