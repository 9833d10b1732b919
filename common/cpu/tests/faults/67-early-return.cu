// expect: nothing
// Threads that have returned are not waited for.
#include "array.hpp"

__global__ void work(const int *in, int *out) {
  __shared__ int s[256];
  const int t = threadIdx.x;
#ifdef FIXED
  if (t >= 200)
    return;
#else
  if (t == 0)
    return;
#endif
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t <= 1 ? 199 : t - 1];
}

int main() {
  int *in = array<int>(256, 0), *out = array<int>(256);
  work<<<1, 256>>>(in, out);
  return cudaDeviceSynchronize();
}
