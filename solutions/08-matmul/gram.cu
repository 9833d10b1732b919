// Exercise 08-matmul/gram: X^T Y, with few loads from global memory.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/08-matmul/gram.cu -o gram
// Run:   ./gram
//
// Both matrices have one row per sample. Row s of X and row s of Y contribute one term to every
// element of G. Nothing has to be transposed: a slice consists of some rows of both.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/08-matmul/gram.hpp"

#include <cstdio>
#include <vector>

// A block of 32 x 8 threads computes 32 x 32 elements of G: each thread 4, in one column, 8 rows
// apart.
constexpr int TILE = 32, ROWS = 8, PART = TILE / ROWS, DEPTH = 16;

__global__ void gram_kernel(int samples, int m, int n, const float *x, const float *y, float *g) {
  __shared__ float x_tile[DEPTH][TILE], y_tile[DEPTH][TILE];
  const int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE; // of G
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum[PART] = {};

  for (int first = 0; first < samples; first += DEPTH) {
    // TODO 1: load samples first to first + DEPTH - 1 into both tiles; 0 past the edges
    for (int s = ty; s < DEPTH; s += ROWS) {
      const int sample = first + s, row = first_row + tx, col = first_col + tx;
      x_tile[s][tx] = sample < samples && row < m ? x[sample * m + row] : 0;
      y_tile[s][tx] = sample < samples && col < n ? y[sample * n + col] : 0;
    }
    __syncthreads();
    // TODO end

    // TODO 2: add this slice to the sums; sum[p] is for row ty + p * ROWS, column tx of the tile
    for (int s = 0; s < DEPTH; ++s)
      for (int p = 0; p < PART; ++p)
        sum[p] += x_tile[s][ty + p * ROWS] * y_tile[s][tx];
    __syncthreads();
    // TODO end
  }

  // TODO 3: write this thread's elements of G, if they exist
  const int col = first_col + tx;
  for (int p = 0; p < PART; ++p) {
    const int row = first_row + ty + p * ROWS;
    if (row < m && col < n)
      g[row * n + col] = sum[p];
  }
  // TODO end
}

void gram(int samples, int m, int n, const float *x, const float *y, float *g) {
  const size_t x_bytes = size_t(samples) * m * sizeof(float);
  const size_t y_bytes = size_t(samples) * n * sizeof(float);
  const size_t g_bytes = size_t(m) * n * sizeof(float);
  float *d_x, *d_y, *d_g;
  CUDA_CHECK(cudaMalloc(&d_x, x_bytes));
  CUDA_CHECK(cudaMalloc(&d_y, y_bytes));
  CUDA_CHECK(cudaMalloc(&d_g, g_bytes));
  CUDA_CHECK(cudaMemcpy(d_x, x, x_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_y, y, y_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_g, 0xFF, g_bytes)); // NaN: finds elements that no thread writes

  const dim3 block(TILE, ROWS), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  gram_kernel<<<grid, block>>>(samples, m, n, d_x, d_y, d_g);
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(g, d_g, g_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  CUDA_CHECK(cudaFree(d_g));
}

int main() {
  course::print_device();
  const int samples = 211, m = 37, n = 83;
  std::vector<float> x(samples * m), y(samples * n), g(m * n, -1.0f);
  for (int i = 0; i < samples * m; ++i)
    x[i] = i % 23 - 11;
  for (int i = 0; i < samples * n; ++i)
    y[i] = i % 19 - 9;

  gram(samples, m, n, x.data(), y.data(), g.data());
  if (g[0] != g[0]) {
    std::puts("no result yet: fill in TODO 1 to TODO 3");
    return 1;
  }
  return course::verdict(course::verify("G", g.data(), g.size(), [&](size_t i) {
    float sum = 0; // all numbers are whole, so no sum is rounded
    for (int s = 0; s < samples; ++s)
      sum += x[s * m + i / n] * y[s * n + i % n];
    return sum;
  }));
}
