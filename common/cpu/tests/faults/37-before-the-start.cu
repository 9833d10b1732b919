// expect: memcheck load
// The first element has no left neighbour.
#include "array.hpp"

__global__ void difference(const float *in, float *out) {
  const int i = threadIdx.x;
#ifdef FIXED
  out[i] = i > 0 ? in[i] - in[i - 1] : 0;
#else
  out[i] = in[i] - in[i - 1]; // @load
#endif
}

int main() {
  float *in = array<float>(64, 0), *out = array<float>(64);
  difference<<<1, 64>>>(in, out);
  return cudaDeviceSynchronize();
}
