// expect: initcheck load
// The copy to the device was forgotten.
#include "array.hpp"

__global__ void twice(const float *in, float *out) {
  out[threadIdx.x] = 2 * in[threadIdx.x]; // @load
}

int main() {
  float host[32] = {};
  float *in = array<float>(32), *out = array<float>(32);
#ifdef FIXED
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
#endif
  twice<<<1, 32>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  return 0;
}
