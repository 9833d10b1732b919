// expect: racecheck update update
// says: To read the old value, write to a second array
// An update in place: neighbours read old or new values.
#include "array.hpp"

__global__ void smooth(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    out[i] = (in[i - 1] + in[i + 1]) / 2; // @update
}

int main() {
  float *a = array<float>(1000, 0), *b = array<float>(1000, 0);
#ifdef FIXED
  smooth<<<4, 256>>>(a, b, 1000);
#else
  smooth<<<4, 256>>>(a, a, 1000);
#endif
  return cudaDeviceSynchronize();
}
