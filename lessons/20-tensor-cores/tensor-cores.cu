// Lesson 20: a matrix product on tensor cores, by wmma and by cuBLAS, and what each format loses.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. lessons/20-tensor-cores/tensor-cores.cu -o tensor-cores -lcublas
// Run:   ./tensor-cores [m]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/cublas.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <random>
#include <vector>

// One warp computes one tile of C, whose sides are multiples of 16.
// [wmma]
__global__ void tensor_tiles(const half *a, const half *b, float *c, int n, int k) {
  using namespace nvcuda::wmma;
  const int row = blockIdx.y * 16, col = blockIdx.x * 16; // of the tile
  fragment<matrix_a, 16, 16, 16, half, row_major> a_part;
  fragment<matrix_b, 16, 16, 16, half, row_major> b_part;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    load_matrix_sync(a_part, a + row * k + i, k); // k: from one row of A to the next
    load_matrix_sync(b_part, b + i * n + col, n);
    mma_sync(sum, a_part, b_part, sum); // sum = a_part b_part + sum
  }
  store_matrix_sync(c + row * n + col, sum, n, mem_row_major);
}
// [end]

// The same by cuBLAS, as C^T = B^T A^T.
// [cublas]
void by_cublas(cublasHandle_t cublas, const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c,
               int m, int n, int k) {
  const float one = 1, zero = 0;
  CUBLAS_CHECK(cublasGemmEx(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b, CUDA_R_16BF, n, a,
                            CUDA_R_16BF, k, &zero, c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F,
                            CUBLAS_GEMM_DEFAULT));
}
// [end]

int padded(int side) { return (side + 15) / 16 * 16; }

// A matrix of rows x cols numbers from draw(), stored with zeros up to multiples of 16.
template <class Draw> std::vector<float> padded_matrix(int rows, int cols, Draw draw) {
  const int stride = padded(cols);
  std::vector<float> numbers(padded(rows) * stride);
  for (int row = 0; row < rows; ++row)
    std::generate_n(&numbers[row * stride], cols, draw);
  return numbers;
}

// Rounds the numbers to the format T, and copies them to the device.
template <class T> course::Buffer<T> on_device(const std::vector<float> &numbers) {
  return course::Buffer<T>(std::vector<T>(numbers.begin(), numbers.end()));
}

// Multiplies m x (m + 6) by (m + 6) x (m + 2) numbers. Small whole numbers are for an exact check;
// fractions are for the errors and the times, which are printed.
bool multiply(cublasHandle_t cublas, int m, bool whole, std::mt19937 &random) {
  const int n = m + 2, k = m + 6, rows = padded(m), cols = padded(n), depth = padded(k);
  const auto draw = [&] { return whole ? random() % 33 - 16.0 : random() * 0x1p-32; };
  const std::vector<float> a = padded_matrix(m, k, draw), b = padded_matrix(k, n, draw);
  const auto half_a = on_device<half>(a), half_b = on_device<half>(b);
  const auto bf16_a = on_device<__nv_bfloat16>(a), bf16_b = on_device<__nv_bfloat16>(b);
  const course::Buffer<float> d_c(rows * cols);

  bool correct = true;
  const auto run = [&](const char *name, int digits, auto launch) { // binary digits
    CUDA_CHECK(cudaMemset(d_c.data(), 0xFF, d_c.bytes()));          // NaN
    const double seconds = course::gpu_seconds(whole ? 1 : course::problem_size(7, 1), launch);
    const std::vector<float> c = d_c.to_host();

    const double limit = whole ? 0 : 2.1 / (1 << digits) + k * 0x1p-23; // factors, additions
    double error = 0;
    for (int i = 0; i < rows * cols; i += rows * cols / 5000 | 1) { // 5000 elements
      double sum = 0;
      for (int j = 0; j < k; ++j)
        sum += double(a[i / cols * depth + j]) * b[j * cols + i % cols];
      correct &= course::verify_value(name, c[i], sum, limit);
      error = std::fmax(error, sum == 0 ? 0 : std::abs(c[i] / sum - 1));
    }
    if (!whole)
      std::printf("  %-14s %9.3f ms %8.3f TFLOP/s   relative error %.1e\n", name, 1e3 * seconds,
                  2e-12 * m * n * k / seconds, error);
  };
  run("wmma, half", 11, [&] {
    tensor_tiles<<<dim3(cols / 16, rows / 16), 32>>>(half_a.data(), half_b.data(), d_c.data(), cols,
                                                     depth);
    CUDA_CHECK(cudaGetLastError());
  });
  run("cuBLAS, bf16", 8,
      [&] { by_cublas(cublas, bf16_a.data(), bf16_b.data(), d_c.data(), rows, cols, depth); });
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[m]");
  course::print_device();
  const int m = course::count_argument(argc, argv, 1, "m", course::problem_size(4093, 253), 32000);
  std::printf("C (%d x %d) = A (%d x %d) times B (%d x %d)\n\n", m, m + 2, m, m + 6, m + 6, m + 2);

  cublasHandle_t cublas;
  CUBLAS_CHECK(cublasCreate(&cublas));
  std::mt19937 random(20);
  bool correct = multiply(cublas, m, true, random);
  correct &= multiply(cublas, m, false, random);
  CUBLAS_CHECK(cublasDestroy(cublas));
  return course::verdict(correct);
}
