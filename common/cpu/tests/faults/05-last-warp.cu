// expect: racecheck add add
// The last warp goes on without __syncwarp: its lanes need not run in step.
#include "array.hpp"

__global__ void sum(const float *in, float *out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  if (t < 32)
    for (int half = 32; half > 0; half /= 2) {
      const float other = s[t + half]; // @add
#ifdef FIXED
      __syncwarp();
#endif
      s[t] += other; // @add
#ifdef FIXED
      __syncwarp();
#endif
    }
  if (t == 0)
    *out = s[0];
}

int main() {
  float *in = array<float>(64, 0), *out = array<float>(1);
  sum<<<1, 64>>>(in, out);
  return cudaDeviceSynchronize();
}
