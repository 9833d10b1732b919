// expect: fail compile on=cpu
// The instrumentation is off in lines that seem to be of a header; a compiler's own form of the
// directive.
#include "tests/grader/twice.hpp"

# 1 "/usr/include/stdio.h" 1
__attribute__((no_sanitize("thread"))) __device__ int again(const int *from) { return *from; }

__global__ void twice_kernel(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + again(in + i);
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
