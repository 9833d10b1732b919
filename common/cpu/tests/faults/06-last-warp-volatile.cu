// expect: racecheck add add
// volatile does not order the lanes of a warp, though it did before Volta.
#include "array.hpp"

__global__ void sum(const float *in, float *out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32) {
#ifdef FIXED
    float mine = s[t] + s[t + 32];
    for (int half = 16; half > 0; half /= 2)
      mine += __shfl_down_sync(0xffffffff, mine, half);
    if (t == 0)
      *out = mine;
#else
    volatile float *v = s;
    for (int half = 32; half > 0; half /= 2)
      v[t] = v[t] + v[t + half]; // @add
    if (t == 0)
      *out = s[0];
#endif
  }
}

int main() {
  float *in = array<float>(64, 0), *out = array<float>(1);
  sum<<<1, 64>>>(in, out);
  return cudaDeviceSynchronize();
}
