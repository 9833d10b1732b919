// expect: pass
// Three blocks share the samples of a tile of G, and add to it.

#include "common/check.hpp"
#include "exercises/08-matmul/gram.hpp"

// A block of 32 x 8 threads computes 32 x 32 elements of G: each thread 4, in one column, 8 rows
// apart.
constexpr int TILE = 32, ROWS = 8, PART = TILE / ROWS, DEPTH = 16;

__global__ void gram_kernel(int samples, int m, int n, const float *x, const float *y, float *g) {
  __shared__ float x_tile[DEPTH][TILE], y_tile[DEPTH][TILE];
  const int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE; // of G
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum[PART] = {};

  for (int first = blockIdx.z * DEPTH; first < samples; first += gridDim.z * DEPTH) {
    for (int s = ty; s < DEPTH; s += ROWS) {
      const int sample = first + s, row = first_row + tx, col = first_col + tx;
      x_tile[s][tx] = sample < samples && row < m ? x[sample * m + row] : 0;
      y_tile[s][tx] = sample < samples && col < n ? y[sample * n + col] : 0;
    }
    __syncthreads();

    for (int s = 0; s < DEPTH; ++s)
      for (int p = 0; p < PART; ++p)
        sum[p] += x_tile[s][ty + p * ROWS] * y_tile[s][tx];
    __syncthreads();
  }

  const int col = first_col + tx;
  for (int p = 0; p < PART; ++p) {
    const int row = first_row + ty + p * ROWS;
    if (row < m && col < n)
      atomicAdd(&g[row * n + col], sum[p]);
  }
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
  CUDA_CHECK(cudaMemset(d_g, 0, g_bytes));

  const dim3 block(TILE, ROWS), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE, 3);
  gram_kernel<<<grid, block>>>(samples, m, n, d_x, d_y, d_g);
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(g, d_g, g_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  CUDA_CHECK(cudaFree(d_g));
}

int main() { return 0; }
