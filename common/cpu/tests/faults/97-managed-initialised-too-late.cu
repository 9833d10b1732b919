// expect: racecheck scale init
// The host initialises the second half after the launch that reads all of it.
#include <cuda_runtime.h>

__global__ void scale(const float *in, float *out) {
  out[threadIdx.x] = 2 * in[threadIdx.x]; // @scale
}

int main() {
  float *in = nullptr, *out = nullptr;
  cudaMallocManaged(&in, 64 * sizeof(float));
  cudaMallocManaged(&out, 64 * sizeof(float));
  for (int i = 0; i < 32; ++i)
    in[i] = i;
#ifndef FIXED
  scale<<<1, 64>>>(in, out);
#endif
  for (int i = 32; i < 64; ++i)
    in[i] = i; // @init
#ifdef FIXED
  scale<<<1, 64>>>(in, out);
#endif
  cudaDeviceSynchronize();
  volatile float first = out[0];
  (void)first;
  cudaFree(in);
  cudaFree(out);
  return 0;
}
