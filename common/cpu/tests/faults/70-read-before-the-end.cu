// expect: racecheck copy read
// says: Nothing makes the host wait
// The host reads the result of an asynchronous copy without waiting for it.
#include "array.hpp"

int main() {
  int *values = array<int>(32, 0);
  int *host = nullptr;
  cudaMallocHost(&host, 32 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaDeviceSynchronize();
  cudaMemcpyAsync(host, values, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream); // @copy
#ifdef FIXED
  cudaStreamSynchronize(stream);
#endif
  volatile int first = host[0]; // @read
  (void)first;
  cudaStreamDestroy(stream);
  cudaFreeHost(host);
  return 0;
}
