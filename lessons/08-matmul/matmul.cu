// Lesson 08: the product of two matrices: memory that each block shares, and registers.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/08-matmul/matmul.cu -o matmul -lcublas
// Run:   ./matmul [m [n [k]]]     C (m x n) = A (m x k) times B (k x n)
//
// matmul-ladder.cu beside this climbs on, from here to cuBLAS.
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/cublas.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/08-matmul/product.hpp"

#include <cstdio>
#include <vector>

// All matrices lie row by row: element (row, col) of a matrix with n columns is at row * n + col.

// 1. Naive: a thread computes one element of C. It reads a row of A and a column of B: 2 loads for
//    each multiplication. Neighbours in a warp have neighbouring columns.
__global__ void naive(const float *a, const float *b, float *c, int m, int n, int k) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

// Element (row, col) of a rows x cols matrix; 0 outside of it, which adds nothing to a sum.
__device__ float element_or_zero(const float *matrix, int rows, int cols, int row, int col) {
  return row < rows && col < cols ? matrix[row * cols + col] : 0.0f;
}

// 2. Shared tiles: the block goes through k slice by slice. It copies a tile of A and one of B to
//    shared memory, where each number is used TILE times: 2 / TILE loads from global memory for
//    each multiplication.
constexpr int TILE = 32;
__global__ void shared_tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
  const int x = threadIdx.x, col = blockIdx.x * TILE + x;
  const int y = threadIdx.y, row = blockIdx.y * TILE + y;
  float sum = 0;
  for (int first = 0; first < k; first += TILE) {
    a_tile[y][x] = element_or_zero(a, m, k, row, first + x);
    b_tile[y][x] = element_or_zero(b, k, n, first + y, col);
    __syncthreads(); // all of the tiles is there
    for (int i = 0; i < TILE; ++i)
      sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads(); // nobody reads it any more: it may be overwritten
  }
  if (row < m && col < n)
    c[row * n + col] = sum;
}

// 3. Register tiles: each thread computes PART x PART elements of C, THREADS apart. With 2 PART
//    loads from shared memory it does PART * PART multiplications. The launch bounds, the most
//    threads of a block, tell the compiler how many registers each can have.
constexpr int THREADS = 16, PART = 8, SIDE = THREADS * PART, DEPTH = 16;
__global__ void __launch_bounds__(THREADS *THREADS)
    register_tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float a_tile[SIDE][DEPTH], b_tile[DEPTH][SIDE];
  const int x = threadIdx.x, col = blockIdx.x * SIDE + x;
  const int y = threadIdx.y, row = blockIdx.y * SIDE + y;
  float sum[PART][PART] = {};
  for (int first = 0; first < k; first += DEPTH) {
    for (int p = 0; p < PART; ++p) { // DEPTH is THREADS: each thread copies PART numbers of each
      a_tile[y + p * THREADS][x] = element_or_zero(a, m, k, row + p * THREADS, first + x);
      b_tile[y][x + p * THREADS] = element_or_zero(b, k, n, first + y, col + p * THREADS);
    }
    __syncthreads();
    for (int i = 0; i < DEPTH; ++i) {
      float a_part[PART], b_part[PART];
      for (int p = 0; p < PART; ++p) {
        a_part[p] = a_tile[y + p * THREADS][i];
        b_part[p] = b_tile[i][x + p * THREADS];
      }
      for (int p = 0; p < PART; ++p)
        for (int q = 0; q < PART; ++q)
          sum[p][q] += a_part[p] * b_part[q];
    }
    __syncthreads();
  }
  for (int p = 0; p < PART; ++p)
    for (int q = 0; q < PART; ++q)
      if (row + p * THREADS < m && col + q * THREADS < n)
        c[(row + p * THREADS) * n + col + q * THREADS] = sum[p][q];
}

// Computes the product in each way, proves each result and, where `measure` says so, times it.
bool multiply(cublasHandle_t cublas, int m, int n, int k, bool measure) {
  std::printf("C (%d x %d) = A (%d x %d) times B (%d x %d)\n", m, n, m, k, k, n);
  expect_room(m, n, k);
  const std::vector<float> a = random_matrix(m, k), b = random_matrix(k, n);
  std::vector<float> c(std::size_t(m) * n);
  const ProductCheck check(a.data(), b.data(), m, n, k);

  float *d_a, *d_b, *d_c;
  CUDA_CHECK(cudaMalloc(&d_a, a.size() * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_b, b.size() * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_c, c.size() * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));

  bool correct = true;
  double limit = 0; // cuBLAS in this run
  const auto step = [&](const char *what, auto launch) {
    CUDA_CHECK(cudaMemset(d_c, 0xFF, c.size() * sizeof(float))); // NaN
    if (measure) {
      const double seconds = course::gpu_seconds(course::size(7, 3), launch);
      const double rate = 2e-12 * m * n * k / seconds;
      limit = limit ? limit : rate;
      course::figure(what, rate, "TFLOP/s", limit, "cuBLAS", seconds);
    } else
      launch();
    CUDA_CHECK(cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    correct = check.verify(what, c.data()) && correct;
  };

  // 4. cuBLAS, the bar. It takes matrices column by column: read so, ours are transposed. Hence
  //    the factors change places: B^T times A^T is C^T.
  step("cuBLAS", [&] {
    const float one = 1, zero = 0;
    CUBLAS_CHECK(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, n, d_a, k, &zero,
                             d_c, n));
  });
  const dim3 tile(TILE, TILE), grid(blocks_for(n, TILE), blocks_for(m, TILE));
  step("naive", [&] {
    naive<<<grid, tile>>>(d_a, d_b, d_c, m, n, k);
    CUDA_CHECK(cudaGetLastError());
  });
  step("shared tiles", [&] {
    shared_tiles<<<grid, tile>>>(d_a, d_b, d_c, m, n, k);
    CUDA_CHECK(cudaGetLastError());
  });
  step("register tiles", [&] {
    register_tiles<<<dim3(blocks_for(n, SIDE), blocks_for(m, SIDE)), dim3(THREADS, THREADS)>>>(
        d_a, d_b, d_c, m, n, k);
    CUDA_CHECK(cudaGetLastError());
  });

  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 3, "[m [n [k]]]");
  const int max_size = 32768; // so that row * n + col is an int
  course::print_device();
  const int m = int(course::count_argument(argc, argv, 1, "m", course::size(4096, 384), max_size));
  const int n = int(course::count_argument(argc, argv, 2, "n", m, max_size));
  const int k = int(course::count_argument(argc, argv, 3, "k", n, max_size));

  cublasHandle_t cublas;
  CUBLAS_CHECK(cublasCreate(&cublas));
  // 5. Sizes that no tile divides, first: the edges are where tiles go wrong.
  bool correct = multiply(cublas, 131, 67, 97, false);
  correct = multiply(cublas, m, n, k, true) && correct;
  CUBLAS_CHECK(cublasDestroy(cublas));
  return course::verdict(correct);
}
