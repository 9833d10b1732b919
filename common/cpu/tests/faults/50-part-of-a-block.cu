// expect: initcheck add
// Threads past the end leave their part of the shared array without a value.
#include "array.hpp"

__global__ void sum(const float *in, float *out, int n) {
  __shared__ float s[128];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
#ifdef FIXED
  s[t] = i < n ? in[i] : 0;
#else
  if (i < n)
    s[t] = in[i];
#endif
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half)
      s[t] += s[t + half]; // @add
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

int main() {
  float *in = array<float>(200, 0), *out = array<float>(2);
  sum<<<2, 128>>>(in, out, 200);
  return cudaDeviceSynchronize();
}
