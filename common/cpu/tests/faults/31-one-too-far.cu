// expect: memcheck add
// i <= n lets one element too many through.
#include "array.hpp"

__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n)
#else
  if (i <= n)
#endif
    c[i] = a[i] + b[i]; // @add
}

int main() {
  float *a = array<float>(1000, 0), *b = array<float>(1000, 0), *c = array<float>(1000);
  add<<<4, 256>>>(a, b, c, 1000);
  return cudaDeviceSynchronize();
}
