// expect: racecheck callback read
// The host reads what a callback writes, and has waited for the event before the callback.
#include "array.hpp"

void CUDART_CB finish(cudaStream_t, cudaError_t, void *result) {
  *static_cast<int *>(result) = 1; // @callback
}

int main() {
  int *result = nullptr;
  cudaMallocHost(&result, sizeof(int));
  *result = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t event;
  cudaEventCreate(&event);
#ifndef FIXED
  cudaEventRecord(event, stream);
#endif
  cudaStreamAddCallback(stream, finish, result, 0);
#ifdef FIXED
  cudaEventRecord(event, stream);
#endif
  cudaEventSynchronize(event);
  volatile int value = *result; // @read
  (void)value;
  cudaStreamSynchronize(stream);
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
  cudaFreeHost(result);
  return 0;
}
