// expect: fail fault
// The guard comes after the read that it guards.
#include "common/check.hpp"
#include "tests/grader/twice.hpp"

__global__ void kernel(int n, const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 0 && i < n)
    out[i] = 2 * in[i];
}

int twice(int n, const int *in, int *out) {
  const size_t bytes = n * sizeof(int);
  int *from, *to;
  CUDA_CHECK(cudaMalloc(&from, bytes));
  CUDA_CHECK(cudaMalloc(&to, bytes));
  CUDA_CHECK(cudaMemcpy(from, in, bytes, cudaMemcpyHostToDevice));
  kernel<<<(n + 255) / 256, 256>>>(n, from, to);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(out, to, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(from));
  CUDA_CHECK(cudaFree(to));
  return n;
}

int main() {}
