// expect: racecheck copy change
// The host changes pinned memory that an asynchronous copy still reads.
#include "array.hpp"

int main() {
  int *values = array<int>(32);
  int *host = nullptr;
  cudaMallocHost(&host, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i)
    host[i] = i;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(values, host, 32 * sizeof(int), cudaMemcpyHostToDevice, stream); // @copy
#ifdef FIXED
  cudaStreamSynchronize(stream);
#endif
  host[0] = 5; // @change
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFreeHost(host);
  return 0;
}
