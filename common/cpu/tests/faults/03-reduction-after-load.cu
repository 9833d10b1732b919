// expect: racecheck load add
// The tree starts before the values are there.
#include "array.hpp"

__global__ void sum(const float *in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t]; // @load
#ifdef FIXED
  __syncthreads();
#endif
  for (int half = 64; half > 0; half /= 2) {
    if (t < half)
      s[t] += s[t + half]; // @add
    __syncthreads();
  }
  if (t == 0)
    *out = s[0];
}

int main() {
  float *in = array<float>(128, 0), *out = array<float>(1);
  sum<<<1, 128>>>(in, out);
  return cudaDeviceSynchronize();
}
