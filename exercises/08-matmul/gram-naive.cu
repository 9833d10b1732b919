// Exercise 08-matmul/gram-naive: X^T Y, with one thread per element.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/08-matmul/gram-naive.cu -o gram-naive
// Run:   ./gram-naive
//
// Both matrices have one row per sample. Row s of X and row s of Y contribute one term to every
// element of G.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/08-matmul/gram-naive.hpp"

#include <cstdio>
#include <vector>

__global__ void gram_kernel(int samples, int m, int n, const float *x, const float *y, float *g) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x; // of G
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  // TODO 1: add up the products of all samples
  // TODO end
  g[row * n + col] = sum;
}

void gram_naive(int samples, int m, int n, const float *x, const float *y, float *g) {
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

  const dim3 block(32, 8), grid((n + 31) / 32, (m + 7) / 8);
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

  gram_naive(samples, m, n, x.data(), y.data(), g.data());
  if (g[0] == 0) {
    std::puts("no result yet: fill in TODO 1");
    return EXIT_FAILURE;
  }
  return course::verdict(course::verify("G", g.data(), g.size(), [&](size_t i) {
    float sum = 0; // all numbers are whole, so no sum is rounded
    for (int s = 0; s < samples; ++s)
      sum += x[s * m + i / n] * y[s * n + i % n];
    return sum;
  }));
}
