// expect: racecheck produce consume
// A stream that waits for an event which nobody has recorded so far waits for nothing.
#include "array.hpp"

__global__ void produce(int *a) {
  a[threadIdx.x] = 1; // @produce
}

__global__ void consume(const int *a, int *b) {
  b[threadIdx.x] = a[threadIdx.x]; // @consume
}

int main() {
  int *a = array<int>(32, 0), *b = array<int>(32, 0);
  cudaDeviceSynchronize();
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t event;
  cudaEventCreate(&event);
#ifndef FIXED
  cudaStreamWaitEvent(second, event);
#endif
  produce<<<1, 32, 0, first>>>(a);
  cudaEventRecord(event, first);
#ifdef FIXED
  cudaStreamWaitEvent(second, event);
#endif
  consume<<<1, 32, 0, second>>>(a, b);
  cudaDeviceSynchronize();
  cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
