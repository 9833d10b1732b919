// Lesson 08: the product of two matrices: naive, with tiles in shared memory, and by cuBLAS.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/08-matmul/matmul.cu -o matmul -lcublas
// Run:   ./matmul [m]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/cublas.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cstddef>
#include <cstdio>
#include <vector>

// Version 1: one thread per element of C.
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

// Version 2: a block copies tiles of A and B to shared memory and uses each number TILE times.
constexpr int TILE = 32;
// [tiles]
__global__ void shared_tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
  const int x = threadIdx.x, col = blockIdx.x * TILE + x;
  const int y = threadIdx.y, row = blockIdx.y * TILE + y;
  float sum = 0;
  for (int first = 0; first < k; first += TILE) {
    a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    b_tile[y][x] = first + y < k && col < n ? b[(first + y) * n + col] : 0;
    __syncthreads(); // both tiles are complete
    for (int i = 0; i < TILE; ++i)
      sum += a_tile[y][i] * b_tile[i][x];
    __syncthreads(); // no thread reads these tiles any more
  }
  if (row < m && col < n)
    c[row * n + col] = sum;
}
// [end]

// Whole numbers from -16 to 15: no sum of products is rounded. They vary with `seed`.
std::vector<float> whole_numbers(std::size_t count, unsigned seed) {
  std::vector<float> numbers(count);
  for (float &number : numbers)
    number = int(2654435761u * ++seed >> 27) - 16;
  return numbers;
}

// Compares 20 000 elements of C (n columns) with sums on the CPU.
bool verify(const char *name, const std::vector<float> &a, const std::vector<float> &b,
            const std::vector<float> &c, int n) {
  const std::size_t k = b.size() / n;
  bool correct = true;
  for (std::size_t i = 0; i < c.size(); i += 1 + c.size() / 20'000) {
    double sum = 0;
    for (std::size_t j = 0; j < k; ++j)
      sum += a[i / n * k + j] * b[j * n + i % n];
    correct = correct && course::verify_value(name, c[i], sum);
  }
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[m]");
  course::print_device();
  const int m = course::count_argument(argc, argv, 1, "m", course::problem_size(4093, 253), 32749);
  const int n = m + 2, k = m + 6; // different sides: swapped sides cannot go unnoticed
  std::printf("C (%d x %d) = A (%d x %d) times B (%d x %d)\n\n", m, n, m, k, k, n);

  const std::vector<float> a = whole_numbers(std::size_t(m) * k, 0);
  const std::vector<float> b = whole_numbers(std::size_t(k) * n, a.size());
  const course::Buffer<float> d_a(a), d_b(b), d_c(std::size_t(m) * n);

  bool correct = true;
  const auto run = [&](const char *name, auto launch) {
    CUDA_CHECK(cudaMemset(d_c.data(), 0xFF, d_c.bytes())); // NaN
    const double seconds = course::gpu_seconds(course::problem_size(7, 1), launch);
    CUDA_CHECK(cudaGetLastError());
    correct &= verify(name, a, b, d_c.to_host(), n);
    std::printf("  %-14s %9.3f ms %8.3f TFLOP/s\n", name, 1e3 * seconds,
                2e-12 * m * n * k / seconds);
  };
  const dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  run("naive", [&] { naive<<<grid, block>>>(d_a.data(), d_b.data(), d_c.data(), m, n, k); });
  run("shared tiles",
      [&] { shared_tiles<<<grid, block>>>(d_a.data(), d_b.data(), d_c.data(), m, n, k); });

  cublasHandle_t cublas;
  CUBLAS_CHECK(cublasCreate(&cublas));
  // [cublas]
  const float one = 1, zero = 0;
  const auto op = CUBLAS_OP_N;
  run("cuBLAS", [&] { // C^T = B^T A^T
    CUBLAS_CHECK(cublasSgemm(cublas, op, op, n, m, k, &one, d_b.data(), n, d_a.data(), k, &zero,
                             d_c.data(), n));
  });
  // [end]
  CUBLAS_CHECK(cublasDestroy(cublas));
  return course::verdict(correct);
}
