// expect: fail compile
// Switches the counting off while its kernel runs.
#include "tests/grader/twice.hpp"

namespace course_cpu::tools {
extern bool counting;
}

__global__ void twice_kernel(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[i];
    out[i] += in[i];
  }
}

int twice(int n, const int *in, int *out) {
  int *d_in, *d_out;
  cudaMalloc(&d_in, n * sizeof(int));
  cudaMalloc(&d_out, n * sizeof(int));
  cudaMemcpy(d_in, in, n * sizeof(int), cudaMemcpyHostToDevice);
  course_cpu::tools::counting = false;
  twice_kernel<<<(n + 255) / 256, 256>>>(n, d_in, d_out);
  cudaMemcpy(out, d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  course_cpu::tools::counting = true;
  cudaFree(d_in);
  cudaFree(d_out);
  return n;
}

int main() { return 0; }
