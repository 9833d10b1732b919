// expect: pass
// No cheat: the control.
#include "tests/grader/twice.hpp"

__global__ void twice_kernel(int n, const int *in, int *out) {
  // TODO 1: the kernel
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i];
  // TODO end
}

int twice(int n, const int *in, int *out) {
  const int blocks = (n + 255) / 256;
  // TODO 2: the host's part
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in, n * sizeof(int), cudaMemcpyHostToDevice);
  twice_kernel<<<blocks, 256>>>(n, d_in, d_out);
  cudaMemcpy(out, d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  return n;
  // TODO end
}

int main() { return 0; }
