// Lesson 08, versions: kernels for the product of two matrices, from one thread per element to the
// speed of cuBLAS.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/08-matmul/matmul-versions.cu -o matmul-versions -lcublas
// Run:   ./matmul-versions [m [n [k]]]     C (m x n) = A (m x k) times B (k x n)
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
#include <vector>

// Version 1: x counts rows. The 32 threads of a warp load 32 rows of A: 32 cache lines.
__global__ void uncoalesced(const float *a, const float *b, float *c, int m, int n, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

// Version 2: x counts columns. A warp loads 32 neighbouring numbers of B and one number of A. The
// type of the index is a parameter, to measure what it costs.
template <class Index>
__global__ void coalesced(const float *a, const float *b, float *c, Index m, Index n, Index k) {
  const Index col = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  const Index row = Index(blockIdx.y) * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (Index i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

// Element (row, col) of a rows x cols matrix, or 0 outside the matrix.
__device__ float element_or_zero(const float *matrix, int rows, int cols, int row, int col) {
  return row < rows && col < cols ? matrix[row * cols + col] : 0.0f;
}

// Version 3: tiles in shared memory. Sum is the type of the sum: float or double.
template <int TILE, class Sum>
__global__ void shared_tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
  const int x = threadIdx.x, col = blockIdx.x * TILE + x;
  const int y = threadIdx.y, row = blockIdx.y * TILE + y;
  Sum sum = 0;
  for (int first = 0; first < k; first += TILE) {
    a_tile[y][x] = element_or_zero(a, m, k, row, first + x);
    b_tile[y][x] = element_or_zero(b, k, n, first + y, col);
    __syncthreads();
    for (int i = 0; i < TILE; ++i)
      sum += Sum(a_tile[y][i]) * b_tile[i][x];
    __syncthreads();
  }
  if (row < m && col < n)
    c[row * n + col] = float(sum);
}

// Version 4: register tiles. A block of 16 x 16 threads; every thread computes PART x PART elements
// of C. They are 16 apart, so that neighbouring threads read neighbouring numbers.
template <int PART>
__global__ void __launch_bounds__(256)
    register_tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  constexpr int SIDE = 16 * PART;
  __shared__ float a_tile[SIDE][16], b_tile[16][SIDE];
  const int x = threadIdx.x, col = blockIdx.x * SIDE + x;
  const int y = threadIdx.y, row = blockIdx.y * SIDE + y;
  float sum[PART][PART] = {};
  for (int first = 0; first < k; first += 16) {
    for (int p = 0; p < PART; ++p) {
      a_tile[y + p * 16][x] = element_or_zero(a, m, k, row + p * 16, first + x);
      b_tile[y][x + p * 16] = element_or_zero(b, k, n, first + y, col + p * 16);
    }
    __syncthreads();
    // [registers]
    for (int i = 0; i < 16; ++i) {
      float a_part[PART], b_part[PART]; // 2 PART reads from shared memory
      for (int p = 0; p < PART; ++p) {
        a_part[p] = a_tile[y + p * 16][i];
        b_part[p] = b_tile[i][x + p * 16];
      }
      for (int p = 0; p < PART; ++p) // PART x PART multiply-adds
        for (int q = 0; q < PART; ++q)
          sum[p][q] += a_part[p] * b_part[q];
    }
    // [end]
    __syncthreads();
  }
  for (int p = 0; p < PART; ++p)
    for (int q = 0; q < PART; ++q)
      if (row + p * 16 < m && col + q * 16 < n)
        c[(row + p * 16) * n + col + q * 16] = sum[p][q];
}

// Versions 5 and 6 need m and n to be multiples of SIDE, and k to be a multiple of DEPTH. A block
// of 128 threads computes 128 x 128 elements, a warp 64 x 64, and a thread 8 x 16: 2 x 4 squares of
// 4 x 4 that are 32 rows and 16 columns apart. The tile of A is transposed, so that one load reads
// four rows. Its 4 columns of padding avoid bank conflicts.
constexpr int SIDE = 128, DEPTH = 16, THREADS = 128;

__device__ float4 &four(float &first) { return reinterpret_cast<float4 &>(first); }
__device__ const float4 &four(const float &first) {
  return reinterpret_cast<const float4 &>(first);
}

// Version 5: vector loads. One instruction moves four floats, 16 bytes.
__global__ void __launch_bounds__(THREADS, 2)
    vector_loads(const float *a, const float *b, float *c, int, int n, int k) {
  __shared__ __align__(16) float a_tile[DEPTH][SIDE + 4], b_tile[DEPTH][SIDE];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int y = warp / 2 * 64 + lane / 4 * 4, x = warp % 2 * 64 + lane % 4 * 4;
  float sum[8][16] = {};
  for (int first = 0; first < k; first += DEPTH) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int a_row = t / 4 + j * 32, a_col = t % 4 * 4;
      const int b_row = t / 32 + j * 4, b_col = t % 32 * 4;
      const float4 v = four(a[int(blockIdx.y * SIDE + a_row) * k + first + a_col]);
      a_tile[a_col][a_row] = v.x;
      a_tile[a_col + 1][a_row] = v.y;
      a_tile[a_col + 2][a_row] = v.z;
      a_tile[a_col + 3][a_row] = v.w;
      four(b_tile[b_row][b_col]) = four(b[(first + b_row) * n + int(blockIdx.x * SIDE + b_col)]);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < DEPTH; ++i) {
      alignas(16) float a_part[8], b_part[16];
#pragma unroll
      for (int p = 0; p < 8; p += 4)
        four(a_part[p]) = four(a_tile[i][y + p * 8]);
#pragma unroll
      for (int q = 0; q < 16; q += 4)
        four(b_part[q]) = four(b_tile[i][x + q * 4]);
#pragma unroll
      for (int p = 0; p < 8; ++p)
#pragma unroll
        for (int q = 0; q < 16; ++q)
          sum[p][q] += a_part[p] * b_part[q];
    }
    __syncthreads();
  }
#pragma unroll
  for (int p = 0; p < 8; ++p)
#pragma unroll
    for (int q = 0; q < 16; q += 4) {
      const int row = blockIdx.y * SIDE + y + p / 4 * 32 + p % 4,
                col = blockIdx.x * SIDE + x + q * 4;
      four(c[row * n + col]) = float4{sum[p][q], sum[p][q + 1], sum[p][q + 2], sum[p][q + 3]};
    }
}

// Version 6: double buffers. While a block multiplies one slice, it loads the next slice into
// registers and stores it to the second buffer: one barrier per slice. While it multiplies the
// numbers of step i, it reads the numbers of step i + 1.
__global__ void __launch_bounds__(THREADS, 2)
    double_buffers(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ __align__(16) float a_tile[2][DEPTH][SIDE + 4], b_tile[2][DEPTH][SIDE];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int y = warp / 2 * 64 + lane / 4 * 4, x = warp % 2 * 64 + lane % 4 * 4;
  const int a_row = t / 4, a_col = t % 4 * 4, b_row = t / 32, b_col = t % 32 * 4;
  float4 next_a[4], next_b[4];
  alignas(16) float a_part[2][8], b_part[2][16], sum[8][16] = {};

  const auto load = [&](int first) { // a slice, from global memory to registers
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      next_a[j] = four(a[int(blockIdx.y * SIDE + a_row + j * 32) * k + first + a_col]);
      next_b[j] = four(b[(first + b_row + j * 4) * n + int(blockIdx.x * SIDE + b_col)]);
    }
  };
  const auto store = [&](int buffer) { // from registers to shared memory
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      a_tile[buffer][a_col][a_row + j * 32] = next_a[j].x;
      a_tile[buffer][a_col + 1][a_row + j * 32] = next_a[j].y;
      a_tile[buffer][a_col + 2][a_row + j * 32] = next_a[j].z;
      a_tile[buffer][a_col + 3][a_row + j * 32] = next_a[j].w;
      four(b_tile[buffer][b_row + j * 4][b_col]) = next_b[j];
    }
  };
  const auto read = [&](int buffer, int i, int set) { // the numbers of step i
#pragma unroll
    for (int q = 0; q < 16; q += 4)
      four(b_part[set][q]) = four(b_tile[buffer][i][x + q * 4]);
#pragma unroll
    for (int p = 0; p < 8; p += 4)
      four(a_part[set][p]) = four(a_tile[buffer][i][y + p * 8]);
  };

  load(0);
  store(0);
  if (DEPTH < k)
    load(DEPTH);
  __syncthreads();
  read(0, 0, 0);
  int buffer = 0;
  for (int first = 0; first < k; first += DEPTH) {
#pragma unroll
    for (int i = 0; i < DEPTH; ++i) {
      if (i + 1 < DEPTH) {
        read(buffer, i + 1, (i + 1) % 2);
      } else {
        buffer = 1 - buffer;
        store(buffer);
        // The compiler moves no load across a barrier. Further up, it would move these loads down
        // to shortly before their use.
        if (first + 2 * DEPTH < k)
          load(first + 2 * DEPTH);
        __syncthreads();
        read(buffer, 0, 0);
      }
#pragma unroll
      for (int p = 0; p < 8; ++p)
#pragma unroll
        for (int q = 0; q < 16; ++q)
          sum[p][q] += a_part[i % 2][p] * b_part[i % 2][q];
    }
  }
#pragma unroll
  for (int p = 0; p < 8; ++p)
#pragma unroll
    for (int q = 0; q < 16; q += 4) {
      const int row = blockIdx.y * SIDE + y + p / 4 * 32 + p % 4,
                col = blockIdx.x * SIDE + x + q * 4;
      if (row < m) // always: with this test nvcc 13 makes a kernel that is 3 % faster
        four(c[row * n + col]) = four(sum[p][q]);
    }
}

// matrix times vector, on the CPU.
std::vector<double> times(const std::vector<float> &matrix, const std::vector<double> &vector) {
  std::vector<double> result(matrix.size() / vector.size());
  for (std::size_t row = 0, i = 0; row < result.size(); ++row)
    for (std::size_t col = 0; col < vector.size(); ++col, ++i)
      result[row] += matrix[i] * vector[col];
  return result;
}

// Computes the product with every version and verifies each result.
bool multiply(cublasHandle_t cublas, int m, int n, int k, bool timed) {
  std::printf("\nC (%d x %d) = A (%d x %d) times B (%d x %d)\n", m, n, m, k, k, n);
  std::vector<float> a(std::size_t(m) * k), b(std::size_t(k) * n);
  unsigned count = 0;
  for (std::vector<float> *matrix : {&a, &b})
    for (float &value : *matrix) // whole numbers from -16 to 15: no sum is rounded
      value = int(2654435761u * ++count >> 27) - 16;
  // Freivalds' check: C x must be A (B x). It needs n^2 operations instead of n^3. It would miss an
  // error only if the wrong elements of a row, each times its number in x, added up to 0.
  std::vector<double> x(n);
  for (double &value : x)
    value = 2654435761u * ++count >> 22; // whole numbers from 0 to 1023
  const std::vector<double> abx = times(a, times(b, x));

  const course::Buffer<float> d_a(a), d_b(b), d_c(std::size_t(m) * n);
  const auto time = [&](auto launch) {
    return course::gpu_seconds(course::problem_size(5, 1), [&] {
      launch();
      CUDA_CHECK(cudaGetLastError());
    });
  };
  const auto product = [&] { // cuBLAS takes matrices by columns: C^T = B^T A^T
    const float one = 1, zero = 0;
    CUBLAS_CHECK(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b.data(), n,
                             d_a.data(), k, &zero, d_c.data(), n));
  };
  const double tera = 2e-12 * m * n * k, cublas_seconds = timed ? time(product) : 0;
  bool correct = true;
  const auto run = [&](const char *what, auto launch) {
    CUDA_CHECK(cudaMemset(d_c.data(), 0xFF, d_c.bytes())); // NaN
    launch();
    CUDA_CHECK(cudaGetLastError());
    const std::vector<double> cx = times(d_c.to_host(), x);
    correct &= course::verify(what, cx.data(), m, [&](std::size_t i) { return abx[i]; });
    if (!timed)
      return;
    char name[80];
    std::snprintf(name, sizeof name, "%s, %d", what, m);
    const double seconds = time(launch);
    course::figure(name, tera / seconds, "TFLOP/s",
                   {.limit = tera / cublas_seconds, .limit_is = "cuBLAS", .seconds = seconds});
  };
  // A kernel whose blocks compute `cols` columns and `rows` rows.
  const auto run_kernel = [&](const char *what, auto kernel, int cols, int rows, dim3 block) {
    const dim3 grid((n + cols - 1) / cols, (m + rows - 1) / rows);
    run(what, [&] { kernel<<<grid, block>>>(d_a.data(), d_b.data(), d_c.data(), m, n, k); });
  };
  run("1 uncoalesced", [&] {
    const dim3 grid((m + 31) / 32, (n + 7) / 8);
    uncoalesced<<<grid, dim3(32, 8)>>>(d_a.data(), d_b.data(), d_c.data(), m, n, k);
  });
  run_kernel("2 coalesced", coalesced<int>, 32, 8, dim3(32, 8));
  run_kernel("2 coalesced, unsigned", coalesced<unsigned>, 32, 8, dim3(32, 8));
  run_kernel("2 coalesced, 64 bits", coalesced<long long>, 32, 8, dim3(32, 8));
  run_kernel("3 shared tiles, 16, double sums", shared_tiles<16, double>, 16, 16, dim3(16, 16));
  run_kernel("3 shared tiles, 16", shared_tiles<16, float>, 16, 16, dim3(16, 16));
  run_kernel("3 shared tiles, 32", shared_tiles<32, float>, 32, 32, dim3(32, 32));
  run_kernel("4 register tiles, 4 x 4", register_tiles<4>, 64, 64, dim3(16, 16));
  run_kernel("4 register tiles, 8 x 8", register_tiles<8>, 128, 128, dim3(16, 16));
  if (m % SIDE == 0 && n % SIDE == 0 && k % DEPTH == 0) {
    run_kernel("5 vector loads", vector_loads, SIDE, SIDE, dim3(THREADS));
    run_kernel("6 double buffers", double_buffers, SIDE, SIDE, dim3(THREADS));
  }
  run("7 cuBLAS", product);
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 3, "[m [n [k]]]");
  course::print_device();
  const int m = course::count_argument(argc, argv, 1, "m", course::problem_size(4096, 256), 32768);
  const int n = course::count_argument(argc, argv, 2, "n", m, 32768);
  const int k = course::count_argument(argc, argv, 3, "k", n, 32768);
  cublasHandle_t cublas;
  CUBLAS_CHECK(cublasCreate(&cublas));
  std::printf("Two small products, verified only:");
  bool correct = multiply(cublas, 131, 67, 97, false);
  correct &= multiply(cublas, 256, 128, 48, false); // for versions 5 and 6
  correct &= multiply(cublas, m, n, k, true);
  CUBLAS_CHECK(cublasDestroy(cublas));
  std::puts("");
  return course::verdict(correct);
}
