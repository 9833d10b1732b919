// expect: fail idle
// One block of the device does what it can, and the host does the rest.
#include "tests/grader/twice.hpp"

#include <algorithm>

__global__ void twice_kernel(int n, const int *in, int *out) {
  if (int(threadIdx.x) < n)
    out[threadIdx.x] = 2 * in[threadIdx.x];
}

int twice(int n, const int *in, int *out) {
  const int some = std::min(n, 256);
  int *d_in, *d_out;
  cudaMalloc(&d_in, some * sizeof(int));
  cudaMalloc(&d_out, some * sizeof(int));
  cudaMemcpy(d_in, in, some * sizeof(int), cudaMemcpyHostToDevice);
  twice_kernel<<<1, 256>>>(some, d_in, d_out);
  cudaMemcpy(out, d_out, some * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  for (int i = some; i < n; ++i)
    out[i] = 2 * in[i];
  return n;
}

int main() { return 0; }
