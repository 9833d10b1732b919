// expect: racecheck copy read
// cudaEventQuery asks; it does not wait.
#include "array.hpp"

int main() {
  int *values = array<int>(32, 0);
  int *host = nullptr;
  cudaMallocHost(&host, 32 * sizeof(int));
  host[0] = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t copied;
  cudaEventCreate(&copied);
  cudaMemcpyAsync(host, values, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream); // @copy
  cudaEventRecord(copied, stream);
#ifdef FIXED
  while (cudaEventQuery(copied) == cudaErrorNotReady)
    ;
#else
  (void)cudaEventQuery(copied);
#endif
  volatile int first = host[0]; // @read
  (void)first;
  cudaStreamSynchronize(stream);
  cudaEventDestroy(copied);
  cudaStreamDestroy(stream);
  cudaFreeHost(host);
  return 0;
}
