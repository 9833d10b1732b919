// expect: fail work
// Each thread doubles eight numbers in a row: what a warp loads at once lies 32 bytes apart.
#include "tests/grader/twice.hpp"

__global__ void twice_kernel(int n, const int *in, int *out) {
  const int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = first; i < n && i < first + 8; ++i)
    out[i] = 2 * in[i];
}

int twice(int n, const int *in, int *out) {
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in, n * sizeof(int), cudaMemcpyHostToDevice);
  twice_kernel<<<(n + 255) / 256, 256>>>(n, d_in, d_out);
  cudaMemcpy(out, d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  return n;
}

int main() { return 0; }
