// Exercise 08-matmul/odd-tiles: tiles that are not square, and sizes that they do not divide.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/08-matmul/odd-tiles.cu -o odd-tiles
// Run:   ./odd-tiles
//
// A block of 32 x 8 threads computes 8 rows and 32 columns of C. Its tile of A has 128 numbers, its
// tile of B has 512, so a thread cannot copy "its own" element of each. Instead the 256 threads go
// through each tile together, 256 numbers at a time.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/08-matmul/odd-tiles.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int ROWS = 8, COLS = 32, DEPTH = 16;

__global__ void product(int m, int n, int k, float alpha, const float *a, const float *b,
                        float beta, float *c) {
  __shared__ float a_tile[ROWS][DEPTH], b_tile[DEPTH][COLS];
  const int first_row = blockIdx.y * ROWS, first_col = blockIdx.x * COLS;
  const int x = threadIdx.x, y = threadIdx.y, thread = y * COLS + x;
  float sum = 0;

  // TODO 1: how many slices of DEPTH cover k?
  const int slices = 0;
  // TODO end

  for (int slice = 0; slice < slices; ++slice) {
    const int first = slice * DEPTH; // of k
    // TODO 2: load the tile of A; 0 if A has no such element
    // TODO end

    // TODO 3: load the tile of B; 0 if B has no such element
    // TODO end
    __syncthreads();

    for (int i = 0; i < DEPTH; ++i)
      sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }

  // TODO 4: write this thread's element of C, if it has one. When is the old C needed?
  // TODO end
}

void odd_tiles(int m, int n, int k, float alpha, const float *a, const float *b, float beta,
               float *c) {
  const size_t a_bytes = size_t(m) * k * sizeof(float), b_bytes = size_t(k) * n * sizeof(float);
  const size_t c_bytes = size_t(m) * n * sizeof(float);
  float *d_a, *d_b, *d_c;
  CUDA_CHECK(cudaMalloc(&d_a, a_bytes));
  CUDA_CHECK(cudaMalloc(&d_b, b_bytes));
  CUDA_CHECK(cudaMalloc(&d_c, c_bytes));
  CUDA_CHECK(cudaMemcpy(d_a, a, a_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, b, b_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_c, c, c_bytes, cudaMemcpyHostToDevice));

  const dim3 block(COLS, ROWS), grid((n + COLS - 1) / COLS, (m + ROWS - 1) / ROWS);
  product<<<grid, block>>>(m, n, k, alpha, d_a, d_b, beta, d_c);
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(c, d_c, c_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
}

std::vector<float> whole_numbers(int count, int period) {
  std::vector<float> numbers(count);
  for (int i = 0; i < count; ++i)
    numbers[i] = i % period - period / 2;
  return numbers;
}

int main() {
  course::print_device();
  const int m = 101, n = 67, k = 53; // primes
  const std::vector<float> a = whole_numbers(m * k, 23), b = whole_numbers(k * n, 19);
  const std::vector<float> old = whole_numbers(m * n, 17);
  std::vector<float> c = old;
  const auto product_at = [&](size_t i) { // of A B; all numbers are whole, so no sum is rounded
    float sum = 0;
    for (int j = 0; j < k; ++j)
      sum += a[i / n * k + j] * b[j * n + i % n];
    return sum;
  };
  odd_tiles(m, n, k, 2, a.data(), b.data(), -3, c.data());
  if (c == old) {
    std::puts("no result yet: fill in TODO 1 to TODO 4");
    return 1;
  }
  bool correct = course::verify("2 A B - 3 C: C", c.data(), c.size(),
                                [&](size_t i) { return 2 * product_at(i) - 3 * old[i]; });
  // With beta = 0 the old C must not affect the result, even if it is NaN.
  c.assign(c.size(), NAN);
  odd_tiles(m, n, k, 1, a.data(), b.data(), 0, c.data());
  correct = course::verify("A B: C", c.data(), c.size(), product_at) && correct;
  return course::verdict(correct);
}
