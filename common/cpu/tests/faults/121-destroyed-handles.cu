// expect: memcheck launch
// expect: memcheck wait
// A stream and an event are used after they were destroyed, and others have been created since.
#include "array.hpp"

__global__ void fill(int *a) { a[threadIdx.x] = 1; }

int main() {
  int *a = array<int>(32);
  cudaStream_t stream, other;
  cudaEvent_t event, other_event;
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
#ifndef FIXED
  cudaStreamDestroy(stream);
  cudaEventDestroy(event);
#endif
  cudaStreamCreate(&other);
  cudaEventCreate(&other_event);
  fill<<<1, 32, 0, stream>>>(a);     // @launch
  cudaStreamWaitEvent(other, event); // @wait
#ifdef FIXED
  cudaStreamDestroy(stream);
  cudaEventDestroy(event);
#endif
  cudaStreamDestroy(other);
  cudaEventDestroy(other_event);
  return cudaDeviceSynchronize();
}
