// Lesson 20, versions: a matrix product of bf16 numbers with sums in float, on tensor cores.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_80 -I. lessons/20-tensor-cores/tensor-cores-versions.cu -o tensor-cores-versions -lcublas
// Run:   ./tensor-cores-versions [m [n [k]]]     C (m x n) = A (m x k) times B (k x n)
//
// Needs a GPU of compute capability 8.0 or higher, or the CPU backend. Version 3 consists of PTX,
// the assembly language of NVIDIA's GPUs, so it needs a GPU.
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/cublas.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <random>
#include <string>
#include <vector>

using bf16 = __nv_bfloat16;
using namespace nvcuda;

// m, n and k are rounded up to multiples of these.
constexpr int ROWS = 128, COLS = 256, DEPTH = 32;

// Version 1: each warp computes 16 x 16 elements, and loads its operands from global memory.
__global__ void one_tile(const bf16 *a, const bf16 *b, float *c, int n, int k) {
#if __CUDA_ARCH__ >= 800
  const int row = blockIdx.y * 16, col = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> a_part;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::row_major> b_part;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(a_part, a + row * k + i, k);
    wmma::load_matrix_sync(b_part, b + i * n + col, n);
    wmma::mma_sync(sum, a_part, b_part, sum);
  }
  wmma::store_matrix_sync(c + row * n + col, sum, n, wmma::mem_row_major);
#endif
}

// In versions 2 and 3 a block of 8 warps computes ROWS x COLS elements, each warp 64 x 64. STAGES
// slices of k have a place in shared memory: the warps multiply one, and the others are on their
// way. Eight numbers of padding move the rows to different banks.
constexpr int THREADS = 256, STAGES = 3;
struct Slice {
  bf16 a[ROWS][DEPTH + 8], b[DEPTH][COLS + 8];
};

// Starts to copy the slice of k that begins at `first`, if there is one. The data does not pass
// through registers: cp.async copies 16 bytes, 8 numbers, while the thread goes on.
__device__ void copy_slice(Slice &slice, const bf16 *a, const bf16 *b, int n, int k, int first) {
  for (int i = threadIdx.x; i < ROWS * DEPTH / 8 && first < k; i += THREADS) {
    const int row = i / (DEPTH / 8), col = i % (DEPTH / 8) * 8;
    __pipeline_memcpy_async(&slice.a[row][col], &a[(blockIdx.y * ROWS + row) * k + first + col],
                            16);
  }
  for (int i = threadIdx.x; i < DEPTH * COLS / 8 && first < k; i += THREADS) {
    const int row = i / (COLS / 8), col = i % (COLS / 8) * 8;
    __pipeline_memcpy_async(&slice.b[row][col], &b[(first + row) * n + blockIdx.x * COLS + col],
                            16);
  }
  __pipeline_commit();
}

// Calls multiply(slice) for each slice of k.
template <class Multiply>
__device__ void for_each_slice(const bf16 *a, const bf16 *b, int n, int k, Multiply multiply) {
  extern __shared__ __align__(128) Slice slices[]; // STAGES of them
  for (int i = 0; i < STAGES - 1; ++i)
    copy_slice(slices[i], a, b, n, k, i * DEPTH);
  for (int i = 0; i < k / DEPTH; ++i) {
    __pipeline_wait_prior(STAGES - 2); // this thread's copies of slice i have arrived
    __syncthreads(); // all copies have, and no warp multiplies slice i - 1 any more
    const int next = i + STAGES - 1;
    copy_slice(slices[next % STAGES], a, b, n, k, next * DEPTH);
    multiply(slices[i % STAGES]);
  }
}

// Version 2: wmma, with slices in shared memory. A warp uses each fragment four times.
__global__ void __launch_bounds__(THREADS)
    shared_slices(const bf16 *a, const bf16 *b, float *c, int n, int k) {
#if __CUDA_ARCH__ >= 800
  const int warp = threadIdx.x / 32, row = warp / 4 * 64, col = warp % 4 * 64; // in the block
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][4];
  for (int p = 0; p < 4; ++p)
    for (int q = 0; q < 4; ++q)
      wmma::fill_fragment(sum[p][q], 0.0f);
  for_each_slice(a, b, n, k, [&](const Slice &slice) {
#pragma unroll
    for (int i = 0; i < DEPTH; i += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> a_part[4];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::row_major> b_part;
      for (int p = 0; p < 4; ++p)
        wmma::load_matrix_sync(a_part[p], &slice.a[row + p * 16][i], DEPTH + 8);
      for (int q = 0; q < 4; ++q) {
        wmma::load_matrix_sync(b_part, &slice.b[i][col + q * 16], COLS + 8);
        for (int p = 0; p < 4; ++p)
          wmma::mma_sync(sum[p][q], a_part[p], b_part, sum[p][q]);
      }
    }
  });
  c += (blockIdx.y * ROWS + row) * n + blockIdx.x * COLS + col;
  for (int p = 0; p < 4; ++p)
    for (int q = 0; q < 4; ++q)
      wmma::store_matrix_sync(c + p * 16 * n + q * 16, sum[p][q], n, wmma::mem_row_major);
#endif
}

#ifdef __CUDA_ARCH_LIST__ // nvcc for a GPU: here asm is PTX
// Reads four 8 x 8 matrices from shared memory. Lane i names row i % 8 of matrix i / 8. Then each
// lane has two neighbouring numbers of each matrix in a register: lane i has row i / 4, columns
// 2 (i % 4) and the next one; after load_transposed, column i / 4 and these two rows.
__device__ void load_matrices(unsigned (&part)[4], const bf16 *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(part[0]), "=r"(part[1]), "=r"(part[2]), "=r"(part[3])
               : "r"(unsigned(__cvta_generic_to_shared(row)))
               : "memory");
}
__device__ void load_transposed(unsigned (&part)[4], const bf16 *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(part[0]), "=r"(part[1]), "=r"(part[2]), "=r"(part[3])
               : "r"(unsigned(__cvta_generic_to_shared(row)))
               : "memory");
}

// sum += A B, with a 16 x 16 part of A and a 16 x 8 part of B.
__device__ void multiply_add(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Version 3: the instructions themselves. PTX defines which lane has which element, so each lane
// stores its own elements, two columns at once.
__global__ void __launch_bounds__(THREADS)
    instructions(const bf16 *a, const bf16 *b, float *c, int n, int k) {
#if __CUDA_ARCH__ >= 800
  const int warp = threadIdx.x / 32, row = warp / 4 * 64, col = warp % 4 * 64; // in the block
  const int lane = threadIdx.x % 32;
  float sum[4][8][4] = {}; // 16 rows and 8 columns each
  for_each_slice(a, b, n, k, [&](const Slice &slice) {
#pragma unroll
    for (int i = 0; i < DEPTH; i += 16) {
      unsigned a_part[4][4], b_part[4][4];
#pragma unroll
      for (int p = 0; p < 4; ++p) {
        load_matrices(a_part[p], &slice.a[row + p * 16 + lane % 16][i + lane / 16 * 8]);
        load_transposed(b_part[p], &slice.b[i + lane % 16][col + p * 16 + lane / 16 * 8]);
      }
#pragma unroll
      for (int p = 0; p < 4; ++p)
#pragma unroll
        for (int q = 0; q < 8; ++q) // 8 columns
          multiply_add(sum[p][q], a_part[p], b_part[q / 2][q % 2 * 2],
                       b_part[q / 2][q % 2 * 2 + 1]);
    }
  });
  c += (blockIdx.y * ROWS + row + lane / 4) * n + blockIdx.x * COLS + col + lane % 4 * 2;
#pragma unroll
  for (int p = 0; p < 4; ++p)
#pragma unroll
    for (int q = 0; q < 8; ++q)
#pragma unroll
      for (int half = 0; half < 2; ++half) // the upper and the lower 8 rows
        *reinterpret_cast<float2 *>(c + (p * 16 + half * 8) * n + q * 8) =
            float2{sum[p][q][half * 2], sum[p][q][half * 2 + 1]};
#endif
}
#endif

// matrix times vector, on the CPU.
std::vector<double> times(const std::vector<float> &matrix, const std::vector<double> &vector) {
  std::vector<double> result(matrix.size() / vector.size());
  for (std::size_t row = 0, i = 0; row < result.size(); ++row)
    for (std::size_t col = 0; col < vector.size(); ++col, ++i)
      result[row] += matrix[i] * vector[col];
  return result;
}

// Random multiples of 1/128 from -1 to 1, which bf16 holds. Every product is a multiple of 2^-14.
// Sums of up to 32768 products stay far below 2^9, because the signs are random (their standard
// deviation is at most 61). So a float with its 24 digits holds every sum, and every version must
// get the same result.
std::vector<float> random_matrix(std::mt19937 &random, int height, int width) {
  std::vector<float> numbers(std::size_t(height) * width);
  for (float &number : numbers)
    number = (int(random() % 257) - 128) / 128.0f;
  return numbers;
}

// Computes the product with every version and verifies each result. Prints the rates if `timed`.
bool multiply(cublasHandle_t cublas, int m, int n, int k, bool timed) {
  const auto round_up = [](int size, int to) { return (size + to - 1) / to * to; };
  m = round_up(m, ROWS), n = round_up(n, COLS), k = round_up(k, DEPTH);
  std::printf("\nC (%d x %d) = A (%d x %d) times B (%d x %d)\n", m, n, m, k, k, n);
  std::mt19937 random(m);
  const std::vector<float> a = random_matrix(random, m, k), b = random_matrix(random, k, n);

  // Freivalds' check: C x must be A (B x). It needs n^2 operations instead of n^3. All sums are
  // exact in double: because the signs are random, they need far fewer than 53 binary digits.
  std::vector<double> x(n);
  for (double &value : x)
    value = random() % 1024;
  const std::vector<double> abx = times(a, times(b, x));

  const course::Buffer<bf16> buffer_a(std::vector<bf16>(a.begin(), a.end()));
  const course::Buffer<bf16> buffer_b(std::vector<bf16>(b.begin(), b.end()));
  const course::Buffer<float> buffer_c(std::size_t(m) * n);
  const bf16 *d_a = buffer_a.data(), *d_b = buffer_b.data();
  float *d_c = buffer_c.data();

  const double tera = 2e-12 * m * n * k;
  double limit = 0; // of cuBLAS, in TFLOP/s
  const auto time = [&](auto launch) {
    return course::gpu_seconds(timed ? course::problem_size(5, 1) : 1, [&] {
      launch();
      CUDA_CHECK(cudaGetLastError());
    });
  };
  bool correct = true;
  const auto run = [&](const char *what, auto launch) {
    CUDA_CHECK(cudaMemset(d_c, 0xFF, buffer_c.bytes())); // NaN
    const double seconds = time(launch);
    const std::vector<double> cx = times(buffer_c.to_host(), x);
    correct &= course::verify(what, cx.data(), m, [&](std::size_t i) { return abx[i]; });
    if (timed)
      course::figure((what + (", " + std::to_string(m))).c_str(), tera / seconds, "TFLOP/s",
                     {.limit = limit, .limit_is = "cuBLAS", .seconds = seconds});
  };
  const auto in_slices = [&](const char *what, auto kernel) {
    const int bytes = STAGES * sizeof(Slice); // more than 48 KB must be asked for
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const dim3 grid(n / COLS, m / ROWS);
    run(what, [&] { kernel<<<grid, THREADS, bytes>>>(d_a, d_b, d_c, n, k); });
  };
  const auto product = [&] { // cuBLAS takes matrices by columns: C^T = B^T A^T
    const float one = 1, zero = 0;
    CUBLAS_CHECK(cublasGemmEx(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, CUDA_R_16BF, n,
                              d_a, CUDA_R_16BF, k, &zero, d_c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F,
                              CUBLAS_GEMM_DEFAULT));
  };
  limit = tera / time(product);
  run("1 wmma", [&] { one_tile<<<dim3(n / 16, m / 16), 32>>>(d_a, d_b, d_c, n, k); });
  in_slices("2 shared slices", shared_slices);
#ifdef __CUDA_ARCH_LIST__
  in_slices("3 mma and ldmatrix", instructions);
#endif
  run("4 cuBLAS", product);
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 3, "[m [n [k]]]");
  course::print_device();
  if (course::attribute(cudaDevAttrComputeCapabilityMajor) < 8) {
    std::puts("bf16 needs a GPU of compute capability 8.0 or higher");
    return EXIT_FAILURE;
  }
#ifndef __CUDA_ARCH_LIST__
  std::puts("Version 3 consists of PTX instructions, so it runs on a GPU only.");
#endif
  const int m = course::count_argument(argc, argv, 1, "m", course::problem_size(8192, 256), 32768);
  const int n = course::count_argument(argc, argv, 2, "n", m, 32768);
  const int k = course::count_argument(argc, argv, 3, "k", n, 32768);

  cublasHandle_t cublas;
  CUBLAS_CHECK(cublasCreate(&cublas));
  std::printf("A small product, verified only:");
  bool correct = multiply(cublas, 131, 267, 97, false);
  correct &= multiply(cublas, m, n, k, true);
  CUBLAS_CHECK(cublasDestroy(cublas));
  std::puts("");
  return course::verdict(correct);
}
