// expect: memcheck add
// The last block has threads without an element.
#include "array.hpp"

__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n)
#endif
    c[i] = a[i] + b[i] + 0 * n; // @add
}

int main() {
  float *a = array<float>(1000, 0), *b = array<float>(1000, 0), *c = array<float>(1000);
  add<<<4, 256>>>(a, b, c, 1000);
  return cudaDeviceSynchronize();
}
