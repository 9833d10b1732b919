// expect: initcheck load
// 1000 elements in chunks of 256: the last part is not copied.
#include "array.hpp"

#include <vector>

__global__ void twice(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i]; // @load
}

int main() {
  const std::vector<float> host(1000);
  float *in = array<float>(1000), *out = array<float>(1000);
#ifdef FIXED
  const int last = 1000;
#else
  const int last = 1000 / 256 * 256;
#endif
  for (int first = 0; first < last; first += 256) {
    const int count = last - first < 256 ? last - first : 256;
    cudaMemcpy(in + first, &host[first], count * sizeof(float), cudaMemcpyHostToDevice);
  }
  twice<<<4, 256>>>(in, out, 1000);
  return cudaDeviceSynchronize();
}
