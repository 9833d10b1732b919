// expect: fail processes
// Answers rightly and leaves a process in a session of its own.
#include "tests/grader/twice.hpp"

#include <unistd.h>

__global__ void twice_kernel(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i];
}

int twice(int n, const int *in, int *out) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0)
      for (;;)
        pause();
    _exit(0);
  }
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
