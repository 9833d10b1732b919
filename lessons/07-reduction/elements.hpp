// The elements that the ladder of lesson 07 reduces, and what they are reduced to, exactly.
#pragma once

#include "common/check.hpp"

#include <algorithm>
#include <cstdint>

// The elements: fractions from -1 to below 0, all multiples of 2^-24, so that a sum in whole
// numbers is exact and 0 is not among them; and whole numbers from -8 to 7.
__host__ __device__ inline unsigned bits(unsigned i) { return 2654435761u * i >> 8; }
struct Fraction {
  __host__ __device__ float operator()(unsigned i) const { return -0x1p-24f * (bits(i) + 1); }
};
struct Whole {
  __host__ __device__ int operator()(unsigned i) const { return int(bits(i) / 7 % 16) - 8; }
};
template <class T, class Element> __global__ void fill(T *a, int n, Element element) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = element(i);
}
template <class T, class Element> T *new_list(int n, Element element) {
  T *a;
  CUDA_CHECK(cudaMalloc(&a, n * sizeof(T)));
  fill<<<(n + 255) / 256, 256>>>(a, n, element);
  CUDA_CHECK(cudaGetLastError());
  return a;
}

// What n elements are reduced to, added in whole numbers, without rounding; the squares are those
// of fraction - whole number.
struct Exact {
  double sum, largest, whole_sum, squares;
};
inline Exact exact(int n) {
  std::int64_t sum = 0, largest = -(1 << 24), whole_sum = 0; // fractions in units of 2^-24
  __int128 squares = 0;
  for (int i = 0; i < n; ++i) {
    const std::int64_t fraction = -1 - std::int64_t(bits(i)), whole = Whole()(i);
    const std::int64_t difference = fraction - whole * (1 << 24);
    sum += fraction;
    largest = std::max(largest, fraction);
    whole_sum += whole;
    squares += difference * difference;
  }
  return {0x1p-24 * sum, 0x1p-24 * largest, double(whole_sum), 0x1p-48 * double(squares)};
}
