// Lesson 08, the whole ladder: the product of two matrices, rung by rung up to cuBLAS.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/08-matmul/matmul-versions.cu -o matmul-versions -lcublas
// Run:   ./matmul-versions [m [n [k]]]     C (m x n) = A (m x k) times B (k x n)
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/cublas.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/08-matmul/product.hpp"

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

// --- rungs 1 and 2: one thread per element ---

// 1. Uncoalesced: neighbours in a warp have neighbouring rows, so the 32 addresses of a load of A,
//    and of a store to C, lie in 32 different cache lines.
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

// 2. Coalesced: neighbours have neighbouring columns, so a warp loads 32 numbers of B from one
//    cache line, and one number of A for all. The type of the index is a parameter, to measure its
//    cost.
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

// --- rung 3: tiles in shared memory ---

// Element (row, col) of a rows x cols matrix; 0 outside of it, which adds nothing to a sum.
__device__ float element_or_zero(const float *matrix, int rows, int cols, int row, int col) {
  return row < rows && col < cols ? matrix[row * cols + col] : 0.0f;
}

// Sum is the type of the accumulator: float or double.
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

// --- rung 4: tiles in registers ---

// One step of k: 2 PART reads from shared memory for PART x PART multiply-adds. The elements of a
// thread lie 16 apart, so that neighbouring threads read neighbouring numbers.
// [registers]
template <int PART, int SIDE>
__device__ void multiply_step(const float (&a_tile)[SIDE][16], const float (&b_tile)[16][SIDE],
                              int i, float (&sum)[PART][PART]) {
  float a_part[PART], b_part[PART];
  for (int p = 0; p < PART; ++p) {
    a_part[p] = a_tile[threadIdx.y + p * 16][i];
    b_part[p] = b_tile[i][threadIdx.x + p * 16];
  }
  for (int p = 0; p < PART; ++p)
    for (int q = 0; q < PART; ++q)
      sum[p][q] += a_part[p] * b_part[q];
}
// [end]

// 16 x 16 threads, each PART x PART elements of C that lie 16 apart.
template <int PART>
__global__ void __launch_bounds__(256)
    register_tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  constexpr int THREADS = 16, SIDE = THREADS * PART;
  __shared__ float a_tile[SIDE][THREADS], b_tile[THREADS][SIDE];
  const int x = threadIdx.x, col = blockIdx.x * SIDE + x;
  const int y = threadIdx.y, row = blockIdx.y * SIDE + y;
  float sum[PART][PART] = {};
  for (int first = 0; first < k; first += THREADS) {
    for (int p = 0; p < PART; ++p) {
      a_tile[y + p * THREADS][x] = element_or_zero(a, m, k, row + p * THREADS, first + x);
      b_tile[y][x + p * THREADS] = element_or_zero(b, k, n, first + y, col + p * THREADS);
    }
    __syncthreads();
    for (int i = 0; i < THREADS; ++i)
      multiply_step(a_tile, b_tile, i, sum);
    __syncthreads();
  }
  for (int p = 0; p < PART; ++p)
    for (int q = 0; q < PART; ++q)
      if (row + p * THREADS < m && col + q * THREADS < n)
        c[(row + p * THREADS) * n + col + q * THREADS] = sum[p][q];
}

// --- rungs 5 and 6: 16 bytes at a time, and the next slice loaded ahead ---

// A block of 128 threads computes 128 x 128 elements of C, each of its four warps 64 x 64, each
// thread 8 x 16: 2 x 4 squares of 4 x 4, so that all its reads are float4s.
constexpr int SIDE = 128, DEPTH = 16, THREADS = 128, WARP = 64, ROWS = 8, COLS = 16;

// A slice of both matrices. A is transposed here, since a step of k needs 8 elements of a column.
// The 4 numbers of padding after each column put the columns into different banks: else the stores
// would have bank conflicts.
struct Slice {
  float a[DEPTH][SIDE + 4], b[DEPTH][SIDE];
};

__device__ float4 &four(float &first) { return reinterpret_cast<float4 &>(first); }
__device__ const float4 &four(const float &first) {
  return reinterpret_cast<const float4 &>(first);
}

// Elements (row, col) to (row, col + 3). WHOLE: the matrix has them all, and their address is a
// multiple of 16; else those outside are 0.
template <bool WHOLE>
__device__ float4 load4(const float *matrix, int rows, int cols, int row, int col) {
  if (WHOLE)
    return four(matrix[row * cols + col]);
  return {element_or_zero(matrix, rows, cols, row, col),
          element_or_zero(matrix, rows, cols, row, col + 1),
          element_or_zero(matrix, rows, cols, row, col + 2),
          element_or_zero(matrix, rows, cols, row, col + 3)};
}

// What one thread does, and its registers. Every loop is unrolled, so that each array element is a
// register.
template <bool WHOLE> class Worker {
public:
  __device__ Worker(const float *a, const float *b, float *c, int m, int n, int k)
      : a_(a), b_(b), c_(c), m_(m), n_(n), k_(k) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32; // 8 x 4 lanes, 2 x 2 warps
    row_ = warp / 2 * WARP + lane / 4 * 4;
    col_ = warp % 2 * WARP + lane % 4 * 4;
  }

  // This thread's share of the slice that begins at `first`: from global memory to registers.
  __device__ void fetch(int first) {
    const int t = threadIdx.x;
#pragma unroll
    for (int j = 0; j < FETCHES; ++j) {
      next_a_[j] = load4<WHOLE>(a_, m_, k_, blockIdx.y * SIDE + t / A_FOURS + j * A_STEP,
                                first + t % A_FOURS * 4);
      next_b_[j] = load4<WHOLE>(b_, k_, n_, first + t / B_FOURS + j * B_STEP,
                                blockIdx.x * SIDE + t % B_FOURS * 4);
    }
  }

  // From registers to shared memory.
  __device__ void store(Slice &slice) const {
    const int t = threadIdx.x, k = t % A_FOURS * 4;
#pragma unroll
    for (int j = 0; j < FETCHES; ++j) {
      const int row = t / A_FOURS + j * A_STEP;
      slice.a[k][row] = next_a_[j].x;
      slice.a[k + 1][row] = next_a_[j].y;
      slice.a[k + 2][row] = next_a_[j].z;
      slice.a[k + 3][row] = next_a_[j].w;
      four(slice.b[t / B_FOURS + j * B_STEP][t % B_FOURS * 4]) = next_b_[j];
    }
  }

  // The factors of step i of the slice: from shared memory to set 0 or 1 of the registers. A
  // thread's squares lie 32 rows and 16 columns apart, so that the lanes of a warp read neighbours.
  __device__ void read(const Slice &slice, int i, int set) {
#pragma unroll
    for (int p = 0; p < ROWS; p += 4)
      four(a_part_[set][p]) = four(slice.a[i][row_ + p * 8]);
#pragma unroll
    for (int q = 0; q < COLS; q += 4)
      four(b_part_[set][q]) = four(slice.b[i][col_ + q * 4]);
  }

  __device__ void multiply(int set) {
#pragma unroll
    for (int p = 0; p < ROWS; ++p)
#pragma unroll
      for (int q = 0; q < COLS; ++q)
        sum_[p][q] += a_part_[set][p] * b_part_[set][q];
  }

  __device__ void write() const {
#pragma unroll
    for (int p = 0; p < ROWS; ++p)
#pragma unroll
      for (int q = 0; q < COLS; q += 4) {
        const int row = blockIdx.y * SIDE + row_ + p / 4 * 32 + p % 4;
        const int col = blockIdx.x * SIDE + col_ + q * 4;
        if (WHOLE)
          four(c_[row * n_ + col]) = four(sum_[p][q]);
        else
#pragma unroll
          for (int r = 0; r < 4; ++r)
            if (row < m_ && col + r < n_)
              c_[row * n_ + col + r] = sum_[p][q + r];
      }
  }

private:
  static constexpr int A_FOURS = DEPTH / 4, A_STEP = THREADS / A_FOURS;
  static constexpr int B_FOURS = SIDE / 4, B_STEP = THREADS / B_FOURS;
  static constexpr int FETCHES = SIDE * DEPTH / 4 / THREADS;
  const float *a_, *b_;
  float *c_;
  int m_, n_, k_, row_, col_;
  float4 next_a_[FETCHES], next_b_[FETCHES];
  alignas(16) float a_part_[2][ROWS], b_part_[2][COLS], sum_[ROWS][COLS] = {};
};

// 5. Vector loads: one instruction moves 16 bytes; a warp's reads of shared memory serve 64 x 64.
template <bool WHOLE>
__global__ void __launch_bounds__(THREADS, 2)
    vector_loads(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ __align__(16) Slice slice;
  Worker<WHOLE> worker(a, b, c, m, n, k);
  for (int first = 0; first < k; first += DEPTH) {
    worker.fetch(first);
    worker.store(slice);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < DEPTH; ++i) {
      worker.read(slice, i, 0);
      worker.multiply(0);
    }
    __syncthreads();
  }
  worker.write();
}

// 6. Double buffering, twice. While one slice is multiplied the next is loaded from global memory
//    into registers, then stored to the other buffer: one barrier per slice. And while the factors
//    of one step are multiplied those of the next are read.
template <bool WHOLE>
__global__ void __launch_bounds__(THREADS, 2)
    double_buffers(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ __align__(16) Slice slices[2];
  Worker<WHOLE> worker(a, b, c, m, n, k);
  worker.fetch(0);
  worker.store(slices[0]);
  if (DEPTH < k)
    worker.fetch(DEPTH);
  __syncthreads();
  worker.read(slices[0], 0, 0);
  int now = 0;
  for (int first = 0; first < k; first += DEPTH) {
#pragma unroll
    for (int i = 0; i < DEPTH; ++i) {
      if (i + 1 < DEPTH) {
        worker.read(slices[now], i + 1, (i + 1) % 2);
      } else {
        now = 1 - now;
        worker.store(slices[now]);
        // Between the stores and the barrier, which no load is moved across: further up the
        // compiler would move these down to shortly before their use, too late to be hidden.
        if (first + 2 * DEPTH < k)
          worker.fetch(first + 2 * DEPTH);
        __syncthreads();
        worker.read(slices[now], 0, 0);
      }
      worker.multiply(i % 2);
    }
  }
  worker.write();
}

// --- measuring ---

// The root mean square of the errors of C's elements over that of the elements, in four rows. The
// true values are computed here, in double.
double error(const std::vector<float> &a, const std::vector<float> &b, const std::vector<float> &c,
             int m, int n, int k) {
  double errors = 0, values = 0;
  for (int r = 0; r < 4; ++r) {
    const std::size_t row = r * std::size_t(m - 1) / 3;
    std::vector<double> sum(n);
    for (int i = 0; i < k; ++i)
      for (int col = 0; col < n; ++col)
        sum[col] += double(a[row * k + i]) * b[std::size_t(i) * n + col];
    for (int col = 0; col < n; ++col) {
      errors += std::pow(c[row * n + col] - sum[col], 2);
      values += std::pow(sum[col], 2);
    }
  }
  return std::sqrt(errors / values);
}

enum Rungs { UNTIMED, LAST, ALL }; // all, checked only; the last two and cuBLAS, timed; all, timed

// Computes the product in each way, proves each result and, as `rungs` says, times it.
bool climb(cublasHandle_t cublas, int m, int n, int k, Rungs rungs) {
  std::printf("\nC (%d x %d) = A (%d x %d) times B (%d x %d)%s\n", m, n, m, k, k, n,
              rungs == UNTIMED ? ": checked, not timed" : "");
  expect_room(m, n, k);
  const std::vector<float> a = random_matrix(m, k), b = random_matrix(k, n);
  std::vector<float> c(std::size_t(m) * n);
  const ProductCheck check(a.data(), b.data(), m, n, k);

  float *d_a = on_device(a), *d_b = on_device(b), *d_c = nullptr;
  CUDA_CHECK(cudaMalloc(&d_c, c.size() * sizeof(float)));

  const auto seconds = [](auto launch) { return course::gpu_seconds(course::size(5, 3), launch); };
  const double tera = 2e-12 * m * n * k; // floating-point operations
  const auto blas = [&] { cublas_product(cublas, d_a, d_b, d_c, m, n, k); };
  const double blas_seconds = rungs == UNTIMED ? 0 : seconds(blas); // in this run
  bool correct = true;
  std::vector<std::pair<const char *, double>> errors;

  const auto step = [&](const char *what, auto launch, double known_seconds = 0) {
    CUDA_CHECK(cudaMemset(d_c, 0xFF, c.size() * sizeof(float))); // NaN
    launch();
    if (rungs != UNTIMED) {
      char name[80];
      std::snprintf(name, sizeof name, "%s, %d", what, m);
      const double took = known_seconds ? known_seconds : seconds(launch);
      course::figure(name, tera / took, "TFLOP/s", tera / blas_seconds, "cuBLAS", took);
    }
    CUDA_CHECK(cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    correct = check.verify(what, c.data()) && correct;
    if (rungs == ALL)
      errors.push_back({what, error(a, b, c, m, n, k)});
  };
  // A kernel whose blocks of `block` threads each compute tile.x columns and tile.y rows.
  const auto rung = [&](const char *what, auto kernel, dim3 tile, dim3 block) {
    const dim3 grid(blocks_for(n, tile.x), blocks_for(m, tile.y));
    step(what, [&] {
      kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
      CUDA_CHECK(cudaGetLastError());
    });
  };

  if (rungs != LAST) {
    step("1 uncoalesced", [&] {
      uncoalesced<<<dim3(blocks_for(m, 32), blocks_for(n, 8)), dim3(32, 8)>>>(d_a, d_b, d_c, m, n,
                                                                              k);
      CUDA_CHECK(cudaGetLastError());
    });
    rung("2 coalesced", coalesced<int>, {32, 8}, {32, 8});
    rung("3 shared tiles, 16, double sums", shared_tiles<16, double>, {16, 16}, {16, 16});
    rung("3 shared tiles, 16", shared_tiles<16, float>, {16, 16}, {16, 16});
    rung("3 shared tiles, 32", shared_tiles<32, float>, {32, 32}, {32, 32});
    rung("4 register tiles, 4 x 4", register_tiles<4>, {64, 64}, {16, 16});
    rung("4 register tiles, 8 x 8", register_tiles<8>, {128, 128}, {16, 16});
  }
  // The tiles fit: no thread of these two rungs has to look where its matrix ends.
  const bool whole = m % SIDE == 0 && n % SIDE == 0 && k % DEPTH == 0;
  rung("5 vector loads", whole ? vector_loads<true> : vector_loads<false>, {SIDE, SIDE}, THREADS);
  rung("6 double buffers", whole ? double_buffers<true> : double_buffers<false>, {SIDE, SIDE},
       THREADS);
  step("7 cuBLAS", blas, blas_seconds);
  if (rungs == ALL) {
    std::puts("   what the index costs in rung 2:");
    rung("2 coalesced, unsigned", coalesced<unsigned>, {32, 8}, {32, 8});
    rung("2 coalesced, 64 bits", coalesced<long long>, {32, 8}, {32, 8});
    std::printf("   error of a sum of %d products, of its size:\n", k);
    for (const auto &[what, error_of_it] : errors)
      std::printf("   %-40s %10.1e\n", what, error_of_it);
  }
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 3, "[m [n [k]]]");
  const int max_size = 32768; // so that row * n + col is an int
  course::print_device();
  const int m = int(course::count_argument(argc, argv, 1, "m", course::size(4096, 256), max_size));
  const int n = int(course::count_argument(argc, argv, 2, "n", m, max_size));
  const int k = int(course::count_argument(argc, argv, 3, "k", n, max_size));

  cublasHandle_t cublas;
  CUBLAS_CHECK(cublasCreate(&cublas));
  bool correct = climb(cublas, 131, 67, 97, UNTIMED); // no tile divides these
  correct = climb(cublas, m, n, k, ALL) && correct;
  if (argc == 1) {
    const int large = course::size(8192, 384), odd = course::size(4093, 253);
    correct = climb(cublas, large, large, large, LAST) && correct;
    correct = climb(cublas, odd, odd - 2, odd + 6, LAST) && correct;
  }
  CUBLAS_CHECK(cublasDestroy(cublas));
  std::puts("");
  return course::verdict(correct);
}
