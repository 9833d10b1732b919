// expect: initcheck load
// A copy from array to array hands on what has no value.
#include "array.hpp"

__global__ void twice(const float *in, float *out) {
  out[threadIdx.x] = 2 * in[threadIdx.x]; // @load
}

int main() {
  float *first = array<float>(32), *second = array<float>(32, 0), *out = array<float>(32);
#ifdef FIXED
  cudaMemset(first, 0, 32 * sizeof(float));
#endif
  cudaMemcpy(second, first, 32 * sizeof(float), cudaMemcpyDeviceToDevice);
  twice<<<1, 32>>>(second, out);
  return cudaDeviceSynchronize();
}
