// expect: fail compile
// Reads again by a gather of AVX2, which is one instruction and no load that is looked at.
#define HAS_ONLY_A_KERNEL
#include "tests/grader/counted.hpp"

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
