// Exercise 20-tensor-cores/edge-tiles: tensor cores, and sizes that 16 does not divide.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. exercises/20-tensor-cores/edge-tiles.cu -o edge-tiles
// Run:   ./edge-tiles
//
// load_matrix_sync always reads 16 x 16 numbers, and the distance between two rows must be a
// multiple of 8. So a warp first copies its part of A and B to whole tiles in shared memory.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/20-tensor-cores/edge-tiles.hpp"

#include <cstdio>
#include <mma.h>
#include <vector>

constexpr int SIDE = 16;

// A block is one warp. It computes one tile of C.
__global__ void product(int m, int n, int k, const float *a, const float *b, float *c) {
  using namespace nvcuda::wmma;
  __shared__ __align__(32) half a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
  __shared__ __align__(32) float c_tile[SIDE][SIDE];
  const int first_row = blockIdx.y * SIDE, first_col = blockIdx.x * SIDE, lane = threadIdx.x;
  fragment<matrix_a, SIDE, SIDE, SIDE, half, row_major> a_part;
  fragment<matrix_b, SIDE, SIDE, SIDE, half, row_major> b_part;
  fragment<accumulator, SIDE, SIDE, SIDE, float> sum;
  fill_fragment(sum, 0.0f);

  for (int first = 0; first < k; first += SIDE) { // slices along k
    // TODO 1: copy both tiles; zero past the edges. Lane 0 copies elements 0, 32, 64, ...
    if (first_row < m && first_col < n) // replace these two lines
      a_tile[lane / 2][0] = b_tile[lane / 2][0] = 0.0f;
    // TODO end

    // TODO 2: load the fragments from the tiles, and add their product to the sum
    fill_fragment(a_part, a_tile[0][0]); // replace these two lines
    fill_fragment(b_part, b_tile[0][0]);
    // TODO end
  }

  // TODO 3: store the sum in c_tile, and copy the elements that C has
  store_matrix_sync(&c_tile[0][0], sum, SIDE, mem_row_major); // and then?
  // TODO end
}

void edge_tiles(int m, int n, int k, const float *a, const float *b, float *c) {
  const size_t a_bytes = size_t(m) * k * sizeof(float), b_bytes = size_t(k) * n * sizeof(float);
  const size_t c_bytes = size_t(m) * n * sizeof(float);
  float *d_a, *d_b, *d_c;
  CUDA_CHECK(cudaMalloc(&d_a, a_bytes));
  CUDA_CHECK(cudaMalloc(&d_b, b_bytes));
  CUDA_CHECK(cudaMalloc(&d_c, c_bytes));
  CUDA_CHECK(cudaMemcpy(d_a, a, a_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, b, b_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_c, 0xFF, c_bytes)); // NaN: finds elements that no thread writes

  const dim3 grid((n + SIDE - 1) / SIDE, (m + SIDE - 1) / SIDE);
  product<<<grid, 32>>>(m, n, k, d_a, d_b, d_c);
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(c, d_c, c_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
}

int main() {
  course::print_device();
  const int m = 61, n = 45, k = 83;
  std::vector<float> a(m * k), b(k * n), c(m * n, -1.0f);
  for (int i = 0; i < m * k; ++i)
    a[i] = i % 23 - 11;
  for (int i = 0; i < k * n; ++i)
    b[i] = i % 19 - 9;

  edge_tiles(m, n, k, a.data(), b.data(), c.data());
  if (c[0] != c[0]) {
    std::puts("no result yet: fill in TODO 1 to TODO 3");
    return 1;
  }
  return course::verdict(course::verify("C", c.data(), c.size(), [&](size_t i) {
    float sum = 0; // all numbers are whole, so no sum is rounded
    for (int j = 0; j < k; ++j)
      sum += a[i / n * k + j] * b[j * n + i % n];
    return sum;
  }));
}
