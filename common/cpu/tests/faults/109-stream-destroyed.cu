// expect: racecheck copy read
// cudaStreamDestroy does not wait for the stream's work.
#include "array.hpp"

int main() {
  int *values = array<int>(32, 0);
  int *host = nullptr;
  cudaMallocHost(&host, 32 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(host, values, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream); // @copy
#ifdef FIXED
  cudaStreamSynchronize(stream);
#endif
  cudaStreamDestroy(stream);
  volatile int first = host[0]; // @read
  (void)first;
  cudaDeviceSynchronize();
  cudaFreeHost(host);
  return 0;
}
