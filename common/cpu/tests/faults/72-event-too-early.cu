// expect: racecheck write read
// The event is recorded before the kernel that the other stream should wait for.
#include "array.hpp"

__global__ void write(float *a) {
  a[threadIdx.x] = 1; // @write
}

__global__ void read(const float *a, float *b) {
  b[threadIdx.x] = a[threadIdx.x]; // @read
}

int main() {
  float *a = array<float>(64, 0), *b = array<float>(64, 0);
  cudaDeviceSynchronize();
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t event;
  cudaEventCreate(&event);
#ifndef FIXED
  cudaEventRecord(event, first);
#endif
  write<<<1, 64, 0, first>>>(a);
#ifdef FIXED
  cudaEventRecord(event, first);
#endif
  cudaStreamWaitEvent(second, event);
  read<<<1, 64, 0, second>>>(a, b);
  cudaDeviceSynchronize();
  cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
