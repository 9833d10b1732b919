// expect: racecheck work work
// Two streams use one buffer on the device.
#include "array.hpp"

__global__ void work(float *buffer, float add) {
  buffer[threadIdx.x] += add; // @work
}

int main() {
  float *buffer = array<float>(128, 0);
  cudaDeviceSynchronize();
  cudaStream_t streams[2];
  for (cudaStream_t &stream : streams)
    cudaStreamCreate(&stream);
  for (int i = 0; i < 2; ++i)
#ifdef FIXED
    work<<<1, 64, 0, streams[i]>>>(buffer + i * 64, 1);
#else
    work<<<1, 64, 0, streams[i]>>>(buffer, 1);
#endif
  cudaDeviceSynchronize();
  for (cudaStream_t stream : streams)
    cudaStreamDestroy(stream);
  return 0;
}
