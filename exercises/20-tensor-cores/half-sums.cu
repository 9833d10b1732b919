// Exercise 20-tensor-cores/half-sums: which sums may be in half?
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. exercises/20-tensor-cores/half-sums.cu -o half-sums
// Run:   ./half-sums
//
// Sums in half need half of the registers and half of the bytes. But mma_sync rounds each of them
// to 11 binary digits, every time, and no half is larger than 65504.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/20-tensor-cores/half-sums.hpp"

#include <cstdio>
#include <mma.h>
#include <vector>

// True if sums in half are good enough for all matrices with numbers from -largest to largest.
bool may_be_half(int k, float largest, float tolerance) {
  // TODO 1: the largest possible sum, how often mma_sync rounds it, and by how much
  return k * largest > tolerance; // replace this line
  // TODO end
}

// One warp computes one tile of C, with sums of type Sum: half or float.
template <class Sum> __global__ void product(int n, int k, const half *a, const half *b, Sum *c) {
  using namespace nvcuda::wmma;
  const int row = blockIdx.y * 16, col = blockIdx.x * 16; // of the tile
  // TODO 2: declare the fragments, add the products of all slices of 16, and store the sum
  c[row * n + col] = Sum(0.0f); // replace this line
  // TODO end
}

template <class Sum>
void multiply(int m, int n, int k, const half *d_a, const half *d_b, float *c) {
  std::vector<Sum> sums(size_t(m) * n);
  Sum *d_c;
  CUDA_CHECK(cudaMalloc(&d_c, sums.size() * sizeof(Sum)));
  CUDA_CHECK(cudaMemset(d_c, 0xFF, sums.size() * sizeof(Sum))); // NaN
  product<<<dim3(n / 16, m / 16), 32>>>(n, k, d_a, d_b, d_c);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(sums.data(), d_c, sums.size() * sizeof(Sum), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_c));
  for (size_t i = 0; i < sums.size(); ++i)
    c[i] = sums[i];
}

int half_sums(int m, int n, int k, float largest, float tolerance, const float *a, const float *b,
              float *c) {
  const std::vector<half> a_halves(a, a + size_t(m) * k), b_halves(b, b + size_t(k) * n);
  const size_t a_bytes = a_halves.size() * sizeof(half), b_bytes = b_halves.size() * sizeof(half);
  half *d_a, *d_b;
  CUDA_CHECK(cudaMalloc(&d_a, a_bytes));
  CUDA_CHECK(cudaMalloc(&d_b, b_bytes));
  CUDA_CHECK(cudaMemcpy(d_a, a_halves.data(), a_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, b_halves.data(), b_bytes, cudaMemcpyHostToDevice));
  const bool in_half = may_be_half(k, largest, tolerance);
  if (in_half)
    multiply<half>(m, n, k, d_a, d_b, c);
  else
    multiply<float>(m, n, k, d_a, d_b, c);
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  return in_half;
}

int main() {
  course::print_device();
  const int m = 32, n = 48;
  bool correct = true;
  for (const int k : {64, 48000}) {
    const std::vector<float> a(m * k, 1.0f), b(k * n, 0.0625f);
    std::vector<float> c(m * n, -1.0f);
    const float wanted = k / 16.0f, tolerance = 0.5f;
    const int in_half = half_sums(m, n, k, 1, tolerance, a.data(), b.data(), c.data());
    if (c[1] != c[1]) {
      std::puts("no result yet: fill in TODO 1 and TODO 2");
      return 1;
    }
    std::printf("%5d products of 1 and 1/16, sums in %s: %g\n", k, in_half ? "half" : "float",
                c[0]);
    correct = course::verify(
                  "C", c.data(), c.size(), [&](size_t) { return wanted; }, tolerance / wanted) &&
              correct;
  }
  return course::verdict(correct);
}
