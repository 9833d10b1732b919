// The contract of the answers in tests/grader/counted.
#pragma once

// out[i] = 2 * in[i] for the n numbers of `in` (host memory), computed on the device. Returns n.
int twice(int n, const int *in, int *out);

// For an answer that differs in its kernel.
#ifdef HAS_ONLY_A_KERNEL
__global__ void twice_kernel(int n, const int *in, int *out);

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
#endif
