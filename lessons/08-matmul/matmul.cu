// Lesson 08: the product of two matrices, with tiles in shared memory.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/08-matmul/matmul.cu -o matmul -lcublas
// Run:   ./matmul [m [n [k]]]     C (m x n) = A (m x k) times B (k x n)
//
// matmul-versions.cu beside this climbs on, from here to cuBLAS.
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/cublas.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/08-matmul/product.hpp"

// All matrices are row-major: element (row, col) of a matrix with n columns is at row * n + col.

// Naive: one thread per element of C, two loads from global memory for each multiply-add.
// [naive]
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
// [end]

// Element (row, col) of a rows x cols matrix; 0 outside of it, which adds nothing to a sum.
__device__ float element_or_zero(const float *matrix, int rows, int cols, int row, int col) {
  return row < rows && col < cols ? matrix[row * cols + col] : 0.0f;
}

// A block walks along k, slice by slice. It copies a tile of A and a tile of B to shared memory,
// where each number is used TILE times.
constexpr int TILE = 32;
// [kernel]
__global__ void shared_tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
  const int x = threadIdx.x, col = blockIdx.x * TILE + x;
  const int y = threadIdx.y, row = blockIdx.y * TILE + y;
  float sum = 0;
  for (int first = 0; first < k; first += TILE) {
    a_tile[y][x] = element_or_zero(a, m, k, row, first + x);
    b_tile[y][x] = element_or_zero(b, k, n, first + y, col);
    __syncthreads(); // both tiles are loaded
    for (int i = 0; i < TILE; ++i)
      sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads(); // no thread reads them any more: they may be overwritten
  }
  if (row < m && col < n)
    c[row * n + col] = sum;
}
// [end]

// Computes the product in each way, proves each result and, where `measure` says so, times it.
bool multiply(cublasHandle_t cublas, int m, int n, int k, bool measure) {
  std::printf("C (%d x %d) = A (%d x %d) times B (%d x %d)\n", m, n, m, k, k, n);
  expect_room(m, n, k);
  const std::vector<float> a = random_matrix(m, k), b = random_matrix(k, n);
  const ProductCheck check(a.data(), b.data(), m, n, k);
  float *d_a = on_device(a), *d_b = on_device(b), *d_c = nullptr;
  std::vector<float> c(std::size_t(m) * n);
  CUDA_CHECK(cudaMalloc(&d_c, c.size() * sizeof(float)));

  bool correct = true;
  double yardstick = 0; // cuBLAS in this run
  const auto run = [&](const char *what, auto launch) {
    CUDA_CHECK(cudaMemset(d_c, 0xFF, c.size() * sizeof(float))); // NaN: what nobody writes shows
    launch();
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    correct = check.verify(what, c.data()) && correct;
    if (!measure)
      return;
    const double seconds = course::gpu_seconds(course::size(7, 3), launch);
    const double rate = 2e-12 * m * n * k / seconds; // a multiply-add is two operations
    yardstick = yardstick > 0 ? yardstick : rate;
    course::figure(what, rate, "TFLOP/s", yardstick, "cuBLAS", seconds);
  };

  run("cuBLAS", [&] { cublas_product(cublas, d_a, d_b, d_c, m, n, k); });
  const dim3 block(TILE, TILE), grid(blocks_for(n, TILE), blocks_for(m, TILE));
  run("naive", [&] { naive<<<grid, block>>>(d_a, d_b, d_c, m, n, k); });
  run("shared tiles", [&] { shared_tiles<<<grid, block>>>(d_a, d_b, d_c, m, n, k); });

  for (float *memory : {d_a, d_b, d_c})
    CUDA_CHECK(cudaFree(memory));
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
  // Sizes that no tile divides come first: the edges are where tiles go wrong.
  bool correct = multiply(cublas, 131, 67, 97, false);
  correct = multiply(cublas, m, n, k, true) && correct;
  CUBLAS_CHECK(cublasDestroy(cublas));
  return course::verdict(correct);
}
