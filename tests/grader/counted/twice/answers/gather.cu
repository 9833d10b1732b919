// expect: fail compile
// Reads again by a gather of AVX2, which is one instruction and no load that is looked at.
#include "tests/grader/twice.hpp"

#include <immintrin.h>

__attribute__((target("avx2"))) __device__ int again(const int *in) {
  const __m256i zero = _mm256_setzero_si256();
  return _mm256_extract_epi32(_mm256_i32gather_epi32(in, zero, 4), 0);
}

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
