// expect: synccheck barrier last
// The barrier of the tree stands inside the branch.
#include "array.hpp"

__global__ void sum(const float *in, float *out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
#ifdef FIXED
    if (t < half)
      s[t] += s[t + half];
    __syncthreads();
#else
    if (t < half) {
      s[t] += s[t + half];
      __syncthreads(); // @barrier
    }
#endif
  }
  __syncthreads(); // @last
  out[t] = s[0];
}

int main() {
  float *in = array<float>(128, 0), *out = array<float>(128);
  sum<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  return 0;
}
