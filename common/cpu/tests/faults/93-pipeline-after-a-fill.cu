// expect: racecheck copy scale
// The host has filled pinned memory before; the kernel does not wait for the copy in another
// stream.
#include "array.hpp"

__global__ void scale(float *a) {
  a[threadIdx.x] *= 2; // @scale
}

int main() {
  float *a = array<float>(64);
  float *host = nullptr;
  cudaMallocHost(&host, 64 * sizeof(float));
  for (int i = 0; i < 64; ++i)
    host[i] = i;
  cudaStream_t copies, kernels;
  cudaStreamCreate(&copies);
  cudaStreamCreate(&kernels);
  cudaEvent_t copied;
  cudaEventCreate(&copied);
  cudaMemcpyAsync(a, host, 64 * sizeof(float), cudaMemcpyHostToDevice, copies); // @copy
  cudaEventRecord(copied, copies);
#ifdef FIXED
  cudaStreamWaitEvent(kernels, copied);
#endif
  scale<<<1, 64, 0, kernels>>>(a);
  cudaDeviceSynchronize();
  cudaEventDestroy(copied);
  cudaStreamDestroy(copies);
  cudaStreamDestroy(kernels);
  cudaFreeHost(host);
  return 0;
}
