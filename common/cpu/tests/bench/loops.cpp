#include "loops.hpp"

#include <cstddef>

namespace loops {

void add(const float *a, const float *b, float *c, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    c[i] = a[i] + b[i];
}

void matmul_naive(const float *a, const float *b, float *c, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

void matmul(const float *a, const float *b, float *c, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i += 4) {
    float *const row = c + i * n;
    for (int j = 0; j < 4 * n; ++j)
      row[j] = 0;
    for (int k = 0; k < n; ++k) {
      const float a0 = a[i * n + k], a1 = a[(i + 1) * n + k];
      const float a2 = a[(i + 2) * n + k], a3 = a[(i + 3) * n + k];
#pragma omp simd
      for (int j = 0; j < n; ++j) {
        const float value = b[k * n + j];
        row[j] += a0 * value;
        row[n + j] += a1 * value;
        row[2 * n + j] += a2 * value;
        row[3 * n + j] += a3 * value;
      }
    }
  }
}

void jacobi(const float *from, float *to, int n) {
#pragma omp parallel for
  for (int y = 1; y < n - 1; ++y)
    for (int x = 1; x < n - 1; ++x) {
      const std::size_t i = std::size_t(y) * n + x;
      to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n]);
    }
}

void block_sums(const float *values, float *sums, int n) {
#pragma omp parallel for
  for (int block = 0; block < n / 256; ++block) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 256 * block; i < 256 * (block + 1); ++i)
      sum += values[i];
    sums[block] = sum;
  }
}

} // namespace loops
