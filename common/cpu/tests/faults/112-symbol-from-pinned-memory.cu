// expect: racecheck copy change
// The source of an asynchronous copy to a constant is changed for the next round.
#include "array.hpp"

__constant__ float factor[8];

__global__ void scale(float *a) { a[threadIdx.x] *= factor[threadIdx.x % 8]; }

int main() {
  float *a = array<float>(64, 0);
  float *host = nullptr;
  cudaMallocHost(&host, sizeof factor);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaDeviceSynchronize();
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 8; ++i)
      host[i] = round;                                                                  // @change
    cudaMemcpyToSymbolAsync(factor, host, sizeof factor, 0, cudaMemcpyDefault, stream); // @copy
    scale<<<1, 64, 0, stream>>>(a);
#ifdef FIXED
    cudaStreamSynchronize(stream);
#endif
  }
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFreeHost(host);
  return 0;
}
