// expect: fail work
// In shared memory the lanes of a warp read a column, and all its numbers lie in one bank.
#include "tests/grader/twice.hpp"

__global__ void twice_kernel(int n, const int *in, int *out) {
  __shared__ int column[32 * 32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int place = 32 * (threadIdx.x % 32) + threadIdx.x / 32;
  if (i < n)
    column[place] = in[i];
  __syncthreads();
  if (i < n)
    out[i] = 2 * column[place];
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
