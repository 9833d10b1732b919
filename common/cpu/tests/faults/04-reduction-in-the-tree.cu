// expect: racecheck add add
// says: a __syncthreads is missing between them
// The steps of the tree are not kept apart.
#include "array.hpp"

__global__ void sum(const float *in, float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int half = 1; half < 256; half *= 2) {
    if (t % (2 * half) == 0)
      s[t] += s[t + half]; // @add
#ifdef FIXED
    __syncthreads();
#endif
  }
  if (t == 255)
    *out = s[0];
}

int main() {
  float *in = array<float>(256, 0), *out = array<float>(1);
  sum<<<1, 256>>>(in, out);
  return cudaDeviceSynchronize();
}
