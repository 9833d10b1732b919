// expect: pass
// A kernel of its own scales the old C, and the product is added: C is loaded twice.

#include "common/check.hpp"
#include "exercises/08-matmul/odd-tiles.hpp"

constexpr int ROWS = 8, COLS = 32, DEPTH = 16;

__global__ void product(int m, int n, int k, float alpha, const float *a, const float *b,
                        float *c) {
  __shared__ float a_tile[ROWS][DEPTH], b_tile[DEPTH][COLS];
  const int first_row = blockIdx.y * ROWS, first_col = blockIdx.x * COLS;
  const int x = threadIdx.x, y = threadIdx.y, rank = y * COLS + x;
  float sum = 0;

  const int slices = (k + DEPTH - 1) / DEPTH;

  for (int slice = 0; slice < slices; ++slice) {
    const int first = slice * DEPTH; // of k
    for (int i = rank; i < ROWS * DEPTH; i += ROWS * COLS) {
      const int row = first_row + i / DEPTH, col = first + i % DEPTH;
      a_tile[i / DEPTH][i % DEPTH] = row < m && col < k ? a[row * k + col] : 0;
    }

    for (int i = rank; i < DEPTH * COLS; i += ROWS * COLS) {
      const int row = first + i / COLS, col = first_col + i % COLS;
      b_tile[i / COLS][i % COLS] = row < k && col < n ? b[row * n + col] : 0;
    }
    __syncthreads();

    for (int i = 0; i < DEPTH; ++i)
      sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads();
  }

  const int row = first_row + y, col = first_col + x;
  if (row < m && col < n)
    c[row * n + col] += alpha * sum;
}

__global__ void scale(int numbers, float beta, float *c) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < numbers; i += gridDim.x * blockDim.x)
    c[i] = beta == 0 ? 0 : beta * c[i];
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
  scale<<<4, 128>>>(m * n, beta, d_c);
  CUDA_CHECK(cudaGetLastError());
  product<<<grid, block>>>(m, n, k, alpha, d_a, d_b, d_c);
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(c, d_c, c_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
}

int main() { return 0; }
