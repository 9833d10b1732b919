// expect: racecheck fill upload
// A pipeline with two pinned buffers: the third chunk overwrites the first before it is copied.
#include "array.hpp"

__global__ void add(const int *chunk, int *sum) { atomicAdd(sum, chunk[threadIdx.x]); }

int main() {
  int *sum = array<int>(1, 0);
  int *host[2], *chunk[2];
  cudaStream_t stream[2];
  cudaEvent_t copied[2];
  cudaDeviceSynchronize();
  for (int b = 0; b < 2; ++b) {
    cudaMallocHost(&host[b], 32 * sizeof(int));
    chunk[b] = array<int>(32);
    cudaStreamCreate(&stream[b]);
    cudaEventCreate(&copied[b]);
  }
  for (int i = 0; i < 4; ++i) {
    const int b = i % 2;
#ifdef FIXED
    cudaEventSynchronize(copied[b]);
#endif
    for (int j = 0; j < 32; ++j)
      host[b][j] = i;                                                           // @fill
    cudaMemcpyAsync(chunk[b], host[b], 128, cudaMemcpyHostToDevice, stream[b]); // @upload
    cudaEventRecord(copied[b], stream[b]);
    add<<<1, 32, 0, stream[b]>>>(chunk[b], sum);
  }
  cudaDeviceSynchronize();
  for (int b = 0; b < 2; ++b) {
    cudaStreamDestroy(stream[b]);
    cudaEventDestroy(copied[b]);
    cudaFreeHost(host[b]);
  }
  return 0;
}
