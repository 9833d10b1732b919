// Exercise 08-matmul/late-barrier: a bug hunt. A matrix product from a lecture's slides.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/08-matmul/late-barrier.cu -o late-barrier
// Run:   ./late-barrier
//
// The result is right for 16 x 16 matrices and wrong for others. On a GPU different elements are
// wrong in each run. There are three bugs.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/08-matmul/late-barrier.hpp"

#include <cstdio>
#include <vector>

constexpr int TILE = 16;

__global__ void product(int m, int n, int k, const float *a, const float *b, float *c) {
  __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
  const int x = threadIdx.x, col = blockIdx.x * TILE + x;
  const int y = threadIdx.y, row = blockIdx.y * TILE + y;
  float sum = 0;

  // TODO 1: find the bug: how many slices does k have?
  const int slices = (k + TILE - 1) / TILE;
  // TODO end

  for (int slice = 0; slice < slices; ++slice) {
    const int first = slice * TILE; // of k

    // TODO 2: find the bugs: what is in a tile past the edge, and how long must a tile stay?
    a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    b_tile[y][x] = first + y < k && col < n ? b[(first + y) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; ++i)
      sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }
  // TODO end

  if (row < m && col < n)
    c[row * n + col] = sum;
}

void late_barrier(int m, int n, int k, const float *a, const float *b, float *c) {
  const size_t a_bytes = size_t(m) * k * sizeof(float), b_bytes = size_t(k) * n * sizeof(float);
  const size_t c_bytes = size_t(m) * n * sizeof(float);
  float *d_a, *d_b, *d_c;
  CUDA_CHECK(cudaMalloc(&d_a, a_bytes));
  CUDA_CHECK(cudaMalloc(&d_b, b_bytes));
  CUDA_CHECK(cudaMalloc(&d_c, c_bytes));
  CUDA_CHECK(cudaMemcpy(d_a, a, a_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, b, b_bytes, cudaMemcpyHostToDevice));

  const dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  product<<<grid, block>>>(m, n, k, d_a, d_b, d_c);
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(c, d_c, c_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
}

// Multiplies matrices of these sizes. Returns true if the product is right.
bool right_for(int m, int n, int k) {
  std::printf("C (%d x %d) = A (%d x %d) times B (%d x %d)\n", m, n, m, k, k, n);
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (int i = 0; i < m * k; ++i)
    a[i] = i % 23 - 11;
  for (int i = 0; i < k * n; ++i)
    b[i] = i % 19 - 9;
  late_barrier(m, n, k, a.data(), b.data(), c.data());
  return course::verify("C", c.data(), c.size(), [&](size_t i) {
    float sum = 0; // all numbers are whole, so no sum is rounded
    for (int j = 0; j < k; ++j)
      sum += a[i / n * k + j] * b[j * n + i % n];
    return sum;
  });
}

int main() {
  course::print_device();
  bool correct = right_for(16, 16, 16);
  const int n = course::problem_size(512, 96);
  correct = right_for(n, n, n) && correct; // as on the slide: square, and a multiple of TILE
  correct = right_for(80, 48, 112) && correct;
  correct = right_for(61, 47, 53) && correct;
  return course::verdict(correct);
}
