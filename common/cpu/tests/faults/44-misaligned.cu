// expect: memcheck load
// A float4 must lie at a multiple of 16 bytes.
#include "array.hpp"

__global__ void copy(const float *in, float4 *out) {
  out[threadIdx.x] = *reinterpret_cast<const float4 *>(in + 4 * threadIdx.x); // @load
}

int main() {
  float *in = array<float>(132, 0);
  float4 *out = array<float4>(32);
#ifdef FIXED
  copy<<<1, 32>>>(in, out);
#else
  copy<<<1, 32>>>(in + 1, out);
#endif
  return cudaDeviceSynchronize();
}
