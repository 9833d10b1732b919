// Lesson 20: a matrix product on tensor cores, by wmma and by cuBLAS, and what each format loses.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. lessons/20-tensor-cores/tensor-cores.cu -o tensor-cores -lcublas
// Run:   ./tensor-cores [m]
#include "common/arguments.hpp"
#include "common/cublas.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include <mma.h>
#include <random>

// One warp computes one tile of C, whose sides are multiples of 16.
// [wmma]
__global__ void tensor_tiles(const half *a, const half *b, float *c, int n, int k) {
  using namespace nvcuda::wmma;
  const int row = blockIdx.y * 16, col = blockIdx.x * 16; // where the tile begins
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

template <class T> T *on_device(const std::vector<float> &numbers) {
  const std::vector<T> rounded(numbers.begin(), numbers.end()); // to the format T
  T *copy;
  CUDA_CHECK(cudaMalloc(&copy, rounded.size() * sizeof(T)));
  CUDA_CHECK(cudaMemcpy(copy, rounded.data(), rounded.size() * sizeof(T), cudaMemcpyDefault));
  return copy;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[m]");
  course::print_device();
  const int m = course::count_argument(argc, argv, 1, "m", course::problem_size(4093, 253), 32000);
  const auto padded = [](int size) { return (size + 15) / 16 * 16; }; // as stored
  const int n = m + 2, k = m + 6, rows = padded(m), cols = padded(n), depth = padded(k);
  std::printf("C (%d x %d) = A (%d x %d) times B (%d x %d)\n\n", m, n, m, k, k, n);
  cublasHandle_t cublas;
  CUBLAS_CHECK(cublasCreate(&cublas));
  std::mt19937 random(20);
  bool correct = true;
  for (const bool whole : {true, false}) { // whole numbers, for an exact check; then fractions
    const auto draw = [&] { return whole ? random() % 33 - 16.0 : random() * 0x1p-32; };
    std::vector<float> a(rows * depth), b(depth * cols), c(rows * cols);
    for (int i = 0; i < rows * depth; ++i) // past the edges: zeros
      a[i] = i / depth < m && i % depth < k ? draw() : 0;
    for (int i = 0; i < depth * cols; ++i)
      b[i] = i / cols < k && i % cols < n ? draw() : 0;
    auto *half_a = on_device<half>(a), *half_b = on_device<half>(b);
    auto *bf16_a = on_device<__nv_bfloat16>(a), *bf16_b = on_device<__nv_bfloat16>(b);
    auto *d_c = on_device<float>(c);
    const auto run = [&](const char *name, int digits, auto launch) { // binary digits
      CUDA_CHECK(cudaMemset(d_c, 0xFF, c.size() * sizeof(float)));    // NaN
      const double s = course::gpu_seconds(whole ? 1 : course::problem_size(7, 1), launch);
      CUDA_CHECK(cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
      const double limit = whole ? 0 : 2.1 / (1 << digits) + k * 0x1p-23; // factors, additions
      double error = 0;
      for (int i = 0; i < rows * cols; i += rows * cols / 5000 | 1) { // 5000 elements
        double sum = 0;
        for (int j = 0; j < k; ++j)
          sum += double(a[i / cols * depth + j]) * b[j * cols + i % cols];
        correct = course::verify_value(name, c[i], sum, limit) && correct;
        error = std::fmax(error, sum == 0 ? 0 : std::abs(c[i] / sum - 1));
      }
      if (!whole)
        std::printf("  %-14s %9.3f ms %8.3f TFLOP/s   relative error %.1e\n", name, 1e3 * s,
                    2e-12 * m * n * k / s, error);
    };
    run("wmma, half", 11, [&] {
      tensor_tiles<<<dim3(cols / 16, rows / 16), 32>>>(half_a, half_b, d_c, cols, depth);
      CUDA_CHECK(cudaGetLastError());
    });
    // [cublas]
    const float one = 1, zero = 0;
    run("cuBLAS, bf16", 8, [&] { // C^T = B^T A^T
      CUBLAS_CHECK(cublasGemmEx(cublas, CUBLAS_OP_N, CUBLAS_OP_N, cols, rows, depth, &one, bf16_b,
                                CUDA_R_16BF, cols, bf16_a, CUDA_R_16BF, depth, &zero, d_c,
                                CUDA_R_32F, cols, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    });
    // [end]
    for (void *used : std::initializer_list<void *>{d_c, half_a, half_b, bf16_a, bf16_b})
      CUDA_CHECK(cudaFree(used));
  }
  CUBLAS_CHECK(cublasDestroy(cublas));
  return course::verdict(correct);
}
