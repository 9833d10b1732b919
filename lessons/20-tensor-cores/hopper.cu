// Lesson 20, deep dive: a product of bf16 matrices with sums in float, as fast as a Hopper GPU can.
//
// Build: nvcc -O3 -std=c++17 -gencode=arch=compute_90a,code=sm_90a -I. lessons/20-tensor-cores/hopper.cu -o hopper -lcublas
// Run:   ./hopper [m [n [k]]]     C (m x n) = A (m x k) times B^T, where B is n x k
//
// Needs a GPU of compute capability 9.0 (H100, H200, GH200). The rows of B are the columns of the
// second factor, as in the weights of a linear layer: both factors are read along k.
#include <cstdio>
#include <cstdlib>

// Prints what is missing, and returns the exit code for it, which is also that of ./course.
int not_here() {
  std::fputs("hopper needs NVIDIA's nvcc and a GPU of compute capability 9.0, such as an H200\n",
             stderr);
  return 3;
}

#ifndef __CUDA_ARCH_LIST__ // the CPU backend has no PTX
int main() { return not_here(); }
#else

#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/cublas.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/20-tensor-cores/hopper-ptx.hpp"

#include <algorithm>
#include <cooperative_groups.h>
#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <vector>

using bf16 = __nv_bfloat16;
using ptx::Barrier;

constexpr int GROUP = 128; // threads of a warp group
constexpr int DEPTH = 64;  // columns of A and B in a slice: 128 bytes, the width of the swizzle

// Part of A and B in shared memory: for a tile of C with `rows` x `cols` numbers.
template <int rows, int cols> struct Slice {
  alignas(1024) bf16 a[rows][DEPTH]; // the swizzle repeats every 1024 bytes
  alignas(1024) bf16 b[cols][DEPTH];
};

// Starts sum += A B^T for 64 rows of a slice; the first slice overwrites the sums.
template <int size>
__device__ void multiply_slice(float (&sum)[size], const bf16 (*a)[DEPTH], const bf16 (*b)[DEPTH],
                               bool add) {
  ptx::begin_products();
#pragma unroll
  for (int i = 0; i < DEPTH; i += 16)
    ptx::multiply_async(sum, &a[0][i], &b[0][i], add || i > 0);
  ptx::commit_products();
}

// Stores a group's 64 rows of sums at (row, col) of C, which has m rows of n numbers: n must be a
// multiple of 4. Four lanes write 32 bytes of a row.
template <int size>
__device__ void store(const float (&sum)[size], float *c, int m, int n, int row, int col) {
  row += threadIdx.x % GROUP / 32 * 16 + threadIdx.x % 32 / 4;
  col += threadIdx.x % 4 * 2;
#pragma unroll
  for (int i = 0; i < size; i += 2) {
    const int r = row + i / 2 % 2 * 8, q = col + i / 4 * 8;
    if (r < m && q < n)
      *reinterpret_cast<float2 *>(&c[std::size_t(r) * n + q]) = float2{sum[i], sum[i + 1]};
  }
}

// ---- Version 1: TMA and wgmma. One thread starts the copies of a slice, its group multiplies it
// ----

constexpr int TILE = 128; // rows and columns of the tile of C, which a group computes in halves

__global__ void __launch_bounds__(GROUP)
    one_slice(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
              float *c, int m, int n, int k) {
  __shared__ Slice<TILE, TILE> slice;
  __shared__ Barrier full;
  const int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
  if (threadIdx.x == 0)
    ptx::init(full, 1);
  __syncthreads();

  float upper[64], lower[64]; // sums
  for (int i = 0; i * DEPTH < k; ++i) {
    if (threadIdx.x == 0) {
      ptx::arrive_expecting(full, sizeof slice);
      ptx::copy_async(slice.a, a, row, i * DEPTH, full);
      ptx::copy_async(slice.b, b, col, i * DEPTH, full);
    }
    ptx::wait(full, i % 2);
    multiply_slice(upper, slice.a, slice.b, i > 0);
    multiply_slice(lower, slice.a + 64, slice.b, i > 0);
    ptx::wait_for_products(upper);
    ptx::wait_for_products(lower);
    __syncthreads(); // no warp multiplies this slice any more
  }
  store(upper, c, m, n, row, col);
  store(lower, c, m, n, row + 64, col);
}

// ---- Version 2: a ring of slices, which one warp fills while others multiply ----

template <class Slice, int stages> struct Ring {
  Slice slice[stages];
  Barrier full[stages];  // the slice has arrived: one arrival, and its bytes
  Barrier empty[stages]; // the slice may be overwritten: one arrival per consumer warp

  __device__ void init(int warps) {
    for (int i = 0; i < stages; ++i) {
      ptx::init(full[i], 1);
      ptx::init(empty[i], warps);
    }
  }
};

// A place in the ring, and the parity of the barriers' phase in this round.
template <int stages> struct Position {
  int stage = 0, parity = 0;

  __device__ void next() {
    if (++stage == stages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

constexpr int STAGES_2 = 3;
using Ring2 = Ring<Slice<TILE, TILE>, STAGES_2>;

// Two blocks share a multiprocessor: while one stores its tile, the other multiplies.
__global__ void __launch_bounds__(2 * GROUP, 2)
    ring_of_slices(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                   float *c, int m, int n, int k) {
  extern __shared__ __align__(1024) unsigned char memory[];
  Ring2 &ring = *reinterpret_cast<Ring2 *>(memory);
  const int row = blockIdx.y * TILE, col = blockIdx.x * TILE, slices = (k + DEPTH - 1) / DEPTH;
  if (threadIdx.x == 0)
    ring.init(GROUP / 32);
  __syncthreads();

  Position<STAGES_2> at;
  if (threadIdx.x >= GROUP) {     // the producer: one thread. Its group needs few registers.
    ptx::release_registers<24>(); // 24 + 232 = 2 x 128, the registers that both groups begin with
    if (threadIdx.x == GROUP)
      for (int i = 0; i < slices; ++i, at.next()) {
        auto &slice = ring.slice[at.stage];
        Barrier &full = ring.full[at.stage];
        ptx::wait(ring.empty[at.stage], at.parity ^ 1); // in the first round, all are empty
        ptx::arrive_expecting(full, sizeof slice);
        ptx::copy_async(slice.a, a, row, i * DEPTH, full);
        ptx::copy_async(slice.b, b, col, i * DEPTH, full);
      }
  } else { // the consumers
    ptx::take_registers<232>();
    float upper[64], lower[64];
    for (int i = 0; i < slices; ++i, at.next()) {
      const auto &slice = ring.slice[at.stage];
      ptx::wait(ring.full[at.stage], at.parity);
      multiply_slice(upper, slice.a, slice.b, i > 0);
      multiply_slice(lower, slice.a + 64, slice.b, i > 0);
      ptx::wait_for_products(upper);
      ptx::wait_for_products(lower);
      if (threadIdx.x % 32 == 0)
        ptx::arrive(ring.empty[at.stage]);
    }
    store(upper, c, m, n, row, col);
    store(lower, c, m, n, row + 64, col);
  }
}

// ---- Version 3: two groups share B; each block computes several tiles, in an order for L2 ----

constexpr int CONSUMERS = 2, THREADS = (1 + CONSUMERS) * GROUP;
constexpr int ROWS = CONSUMERS * 64, COLS = 256, STAGES = 4; // ROWS x COLS: the tile of C

struct Tile {
  int row, col; // in units of tiles
};

// The tile with this index. Blocks that run together have neighbouring indices. They should share
// rows of A and columns of B, which then come from L2: so the order goes down 16 rows of tiles,
// then to the next column, and begins with the next 16 rows when no column is left.
__device__ inline Tile tile_of(int index, int rows, int cols, int band) {
  const int first = index / (band * cols) * band, inside = index % (band * cols);
  const int height = min(band, rows - first);
  return {first + inside % height, inside / height};
}

using Ring3 = Ring<Slice<ROWS, COLS>, STAGES>;

__global__ void __launch_bounds__(THREADS, 1)
    persistent(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
               float *c, int m, int n, int k) {
  extern __shared__ __align__(1024) unsigned char memory[];
  Ring3 &ring = *reinterpret_cast<Ring3 *>(memory);
  const int rows = (m + ROWS - 1) / ROWS, cols = (n + COLS - 1) / COLS;
  const int slices = (k + DEPTH - 1) / DEPTH, group = threadIdx.x / GROUP;
  if (threadIdx.x == 0)
    ring.init(CONSUMERS * GROUP / 32);
  __syncthreads();

  Position<STAGES> at;
  if (group == CONSUMERS) { // the producer, which is always some slices ahead, also of a new tile
    ptx::release_registers<40>(); // 40 + 2 x 232 = 3 x 168
    if (threadIdx.x % GROUP == 0)
      for (int t = blockIdx.x; t < rows * cols; t += gridDim.x) {
        const Tile tile = tile_of(t, rows, cols, 16);
        for (int i = 0; i < slices; ++i, at.next()) {
          auto &slice = ring.slice[at.stage];
          Barrier &full = ring.full[at.stage];
          ptx::wait(ring.empty[at.stage], at.parity ^ 1);
          ptx::arrive_expecting(full, sizeof slice);
          ptx::copy_async(slice.a, a, tile.row * ROWS, i * DEPTH, full);
          ptx::copy_async(slice.b, b, tile.col * COLS, i * DEPTH, full);
        }
      }
  } else { // the consumers: each group has 64 rows
    ptx::take_registers<232>();
    for (int t = blockIdx.x; t < rows * cols; t += gridDim.x) {
      const Tile tile = tile_of(t, rows, cols, 16);
      float sum[128];
      for (int i = 0; i < slices; ++i, at.next()) {
        const auto &slice = ring.slice[at.stage];
        ptx::wait(ring.full[at.stage], at.parity);
        multiply_slice(sum, slice.a + group * 64, slice.b, i > 0);
        ptx::wait_for_products(sum);
        if (threadIdx.x % 32 == 0)
          ptx::arrive(ring.empty[at.stage]);
      }
      store(sum, c, m, n, tile.row * ROWS + group * 64, tile.col * COLS);
    }
  }
}

// ---- Version 4: clusters of two blocks, each of which copies half of B for both; C by TMA ----

constexpr int PAIR = 2;
constexpr int PIECE = 32; // columns of C that are stored at once: 128 bytes

struct Ring4 : Ring3 {
  alignas(1024) float piece[CONSUMERS][2][64][PIECE];
};

__global__ void __cluster_dims__(PAIR) __launch_bounds__(THREADS, 1)
    clusters(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
             const __grid_constant__ CUtensorMap c, int m, int n, int k) {
  extern __shared__ __align__(1024) unsigned char memory[];
  Ring4 &ring = *reinterpret_cast<Ring4 *>(memory);
  const auto cluster = cooperative_groups::this_cluster();
  const int rank = cluster.block_rank(), pairs = gridDim.x / PAIR;
  const int rows = (m + PAIR * ROWS - 1) / (PAIR * ROWS), cols = (n + COLS - 1) / COLS;
  const int slices = (k + DEPTH - 1) / DEPTH, group = threadIdx.x / GROUP;
  if (threadIdx.x == 0)
    ring.init(PAIR * CONSUMERS * GROUP / 32); // the warps of both blocks
  cluster.sync();

  Position<STAGES> at;
  if (group == CONSUMERS) {
    ptx::release_registers<40>();
    if (threadIdx.x % GROUP == 0)
      for (int t = blockIdx.x / PAIR; t < rows * cols; t += pairs) {
        const Tile tile = tile_of(t, rows, cols, 16 / PAIR);
        const int row = (tile.row * PAIR + rank) * ROWS, half = rank * COLS / PAIR;
        for (int i = 0; i < slices; ++i, at.next()) {
          auto &slice = ring.slice[at.stage];
          Barrier &full = ring.full[at.stage];
          ptx::wait(ring.empty[at.stage], at.parity ^ 1); // the consumers of both blocks
          ptx::arrive_expecting(full, sizeof slice);      // half of B comes from the other block
          ptx::copy_async(slice.a, a, row, i * DEPTH, full);
          ptx::multicast_async(slice.b[half], b, tile.col * COLS + half, i * DEPTH, full,
                               (1 << PAIR) - 1);
        }
      }
  } else {
    ptx::take_registers<232>();
    const int thread = threadIdx.x % GROUP, lane = thread % 32;
    for (int t = blockIdx.x / PAIR; t < rows * cols; t += pairs) {
      const Tile tile = tile_of(t, rows, cols, 16 / PAIR);
      float sum[128];
      for (int i = 0; i < slices; ++i, at.next()) {
        const auto &slice = ring.slice[at.stage];
        ptx::wait(ring.full[at.stage], at.parity);
        multiply_slice(sum, slice.a + group * 64, slice.b, i > 0);
        ptx::wait_for_products(sum);
        if (lane < PAIR)
          ptx::arrive_at(ring.empty[at.stage], lane);
      }

      // The sums go to C in pieces, through two buffers. TMA expects swizzled rows: part i of 16
      // bytes in row r is at i ^ r % 8.
#pragma unroll
      for (int p = 0; p < COLS / PIECE; ++p) {
        auto &piece = ring.piece[group][p % 2];
        if (thread == 0)
          ptx::wait_until_read<1>(); // the copy before the last one: this buffer is free
        ptx::sync_group(1 + group);
#pragma unroll
        for (int i = 0; i < PIECE / 2; i += 2) {
          const int r = thread / 32 * 16 + lane / 4 + i / 2 % 2 * 8;
          const int part = (i / 4 * 2 + lane % 4 / 2) ^ r % 8;
          const int j = p * PIECE / 2 + i;
          *reinterpret_cast<float2 *>(&piece[r][part * 4 + lane % 2 * 2]) =
              float2{sum[j], sum[j + 1]};
        }
        ptx::publish_to_tma();
        ptx::sync_group(1 + group);
        if (thread == 0)
          ptx::store_async(c, (tile.row * PAIR + rank) * ROWS + group * 64,
                           tile.col * COLS + p * PIECE, piece);
      }
    }
    if (thread == 0)
      ptx::wait_until_read<0>();
  }
  cluster.sync(); // the other block may still arrive at barriers of this one, which must exist
}

// ---- The host ----

int round_up(int size, int to) { return (size + to - 1) / to * to; }

// A matrix on the device and, if its rows are not a multiple of 16 bytes, as TMA needs, a copy with
// longer rows.
template <class T> struct Padded {
  int rows, cols;
  course::Buffer<T> dense;
  int stride = round_up(cols, 16 / sizeof(T)); // from one row of the copy to the next
  course::Buffer<T> copy{stride == cols ? 1 : std::size_t(rows) * stride};

  T *data() const { return stride == cols ? dense.data() : copy.data(); }
  void pad() const { move(copy.data(), stride, dense.data(), cols); }
  void unpad() const { move(dense.data(), cols, copy.data(), stride); }

  // Describes the matrix and its tiles, whose rows must have 128 bytes, for TMA.
  CUtensorMap map(int tile_rows, int tile_cols) const {
    void *encode = nullptr; // a function of the driver's library, which programs do not link
    cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
    CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000,
                                                cudaEnableDefault, &found));
#else
    CUDA_CHECK(
        cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &encode, cudaEnableDefault, &found));
#endif
    if (found != cudaDriverEntryPointSuccess) {
      std::fprintf(stderr, "the driver has no cuTensorMapEncodeTiled: it is older than CUDA 12\n");
      std::exit(EXIT_FAILURE);
    }
    const auto type =
        sizeof(T) == 2 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    const cuuint64_t size[] = {cuuint64_t(cols), cuuint64_t(rows)}; // the inner dimension first
    const cuuint64_t row_bytes[] = {stride * sizeof(T)};
    const cuuint32_t tile[] = {cuuint32_t(tile_cols), cuuint32_t(tile_rows)}, every[] = {1, 1};
    CUtensorMap map;
    const CUresult status = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
        &map, type, 2, data(), size, row_bytes, tile, every, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (status != CUDA_SUCCESS) {
      std::fprintf(stderr, "cuTensorMapEncodeTiled failed with error %d\n", status);
      std::exit(EXIT_FAILURE);
    }
    return map;
  }

private:
  void move(T *to, int to_stride, const T *from, int from_stride) const {
    if (stride != cols)
      CUDA_CHECK(cudaMemcpy2DAsync(to, to_stride * sizeof(T), from, from_stride * sizeof(T),
                                   cols * sizeof(T), rows, cudaMemcpyDeviceToDevice));
  }
};

// Random multiples of 1/128 from -1 to 1, which bf16 holds. Every product is a multiple of 2^-14,
// and sums of up to 32768 of them stay below 2^9, because the signs are random. So a float with
// its 24 binary digits holds every sum, and every version must get the same result.
std::vector<float> random_matrix(std::mt19937 &random, int rows, int cols) {
  std::vector<float> numbers(std::size_t(rows) * cols);
  for (float &number : numbers)
    number = (int(random() % 257) - 128) / 128.0f;
  return numbers;
}

// Matrix times vector, in double on the host.
std::vector<double> times(const std::vector<float> &matrix, const std::vector<double> &vector) {
  std::vector<double> result(matrix.size() / vector.size());
  for (std::size_t row = 0, i = 0; row < result.size(); ++row)
    for (std::size_t col = 0; col < vector.size(); ++col, ++i)
      result[row] += matrix[i] * vector[col];
  return result;
}

std::vector<float> transpose(const std::vector<float> &matrix, int rows, int cols) {
  std::vector<float> result(matrix.size());
  for (std::size_t i = 0; i < matrix.size(); ++i)
    result[i % cols * rows + i / cols] = matrix[i];
  return result;
}

struct Version {
  std::string name;
  std::function<void()> launch;
  std::vector<double> seconds{};
};

// Computes the product with every version and verifies each result. Prints the rates if `timed`.
bool multiply(cublasHandle_t cublas, int m, int n, int k, bool timed) {
  std::printf("\nC (%d x %d) = A (%d x %d) times B^T (%d x %d)\n", m, n, m, k, k, n);
  std::mt19937 random(m);
  const std::vector<float> host_a = random_matrix(random, m, k);
  const std::vector<float> host_b = random_matrix(random, n, k);

  // Freivalds' check: C x must be A (B^T x). All sums are exact in double.
  std::vector<double> x(n);
  for (double &value : x)
    value = random() % 1024;
  const std::vector<float> columns = transpose(host_b, n, k);
  const std::vector<double> abx = times(host_a, times(columns, x));

  const auto to_bf16 = [](const std::vector<float> &numbers) {
    return course::Buffer<bf16>(std::vector<bf16>(numbers.begin(), numbers.end()));
  };
  const Padded<bf16> a{m, k, to_bf16(host_a)}, b{n, k, to_bf16(host_b)};
  const Padded<float> c{m, n, course::Buffer<float>(std::size_t(m) * n)};

  std::vector<Version> versions;
  const auto library = [&](const char *name, cublasOperation_t layout, const bf16 *factor) {
    versions.push_back({name, [=, &a, &c] {
                          const float one = 1, zero = 0; // by columns: C^T = B A^T
                          CUBLAS_CHECK(
                              cublasGemmEx(cublas, layout, CUBLAS_OP_N, n, m, k, &one, factor,
                                           CUDA_R_16BF, layout == CUBLAS_OP_T ? k : n,
                                           a.dense.data(), CUDA_R_16BF, k, &zero, c.dense.data(),
                                           CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
                        }});
  };
  const course::Buffer<bf16> by_columns = to_bf16(columns);
  library("cuBLAS, B by rows", CUBLAS_OP_T, b.dense.data());
  library("cuBLAS, B by columns", CUBLAS_OP_N, by_columns.data());
  const std::size_t libraries = versions.size();

  const auto add = [&](const char *name, auto kernel, dim3 grid, int threads, std::size_t bytes,
                       CUtensorMap map_a, CUtensorMap map_b, auto result) {
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    versions.push_back({name, [=, &a, &b, &c] {
                          a.pad();
                          b.pad();
                          kernel<<<grid, threads, bytes>>>(map_a, map_b, result, m, c.stride,
                                                           k); // with padding
                          CUDA_CHECK(cudaGetLastError());
                          c.unpad();
                        }});
  };
  const dim3 tiles((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  const int blocks = course::multiprocessors();
  add("1 TMA and wgmma", one_slice, tiles, GROUP, 0, a.map(TILE, DEPTH), b.map(TILE, DEPTH),
      c.data());
  add("2 ring with a producer", ring_of_slices, tiles, 2 * GROUP, sizeof(Ring2), a.map(TILE, DEPTH),
      b.map(TILE, DEPTH), c.data());
  add("3 two groups, persistent", persistent, blocks, THREADS, sizeof(Ring3), a.map(ROWS, DEPTH),
      b.map(COLS, DEPTH), c.data());
  add("4 clusters, C by TMA", clusters, blocks / PAIR * PAIR, THREADS, sizeof(Ring4),
      a.map(ROWS, DEPTH), b.map(COLS / PAIR, DEPTH), c.map(64, PIECE));

  bool correct = true;
  for (const Version &version : versions) {
    CUDA_CHECK(cudaMemset(c.dense.data(), 0xFF, c.dense.bytes())); // NaN
    version.launch();
    const std::vector<double> cx = times(c.dense.to_host(), x);
    correct &=
        course::verify(version.name.c_str(), cx.data(), m, [&](std::size_t i) { return abx[i]; });
  }

  if (!timed)
    return correct;

  // The clock falls within milliseconds to what the power limit allows. So each version runs for a
  // third of a second, three times in turn; the median is reported.
  for (int round = 0; round < 3; ++round)
    for (Version &version : versions) {
      const int runs = 1 + int(1 / 3.0 / course::gpu_seconds(3, version.launch));
      version.seconds.push_back(course::gpu_seconds(runs, version.launch));
    }
  double limit = 0; // of cuBLAS in its faster layout, in TFLOP/s
  for (std::size_t i = 0; i < versions.size(); ++i) {
    std::vector<double> &seconds = versions[i].seconds;
    std::sort(seconds.begin(), seconds.end());
    const double rate = 2e-12 * m * n * k / seconds[1];
    if (i < libraries)
      limit = std::max(limit, rate);
    course::figure(
        (versions[i].name + ", " + std::to_string(m)).c_str(), rate, "TFLOP/s",
        {.limit = i < libraries ? 0 : limit, .limit_is = "cuBLAS", .seconds = seconds[1]});
  }
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 3, "[m [n [k]]]");
  course::print_device();
  if (course::attribute(cudaDevAttrComputeCapabilityMajor) != 9)
    return not_here();
  cublasHandle_t cublas;
  CUBLAS_CHECK(cublasCreate(&cublas));
  bool correct = true;
  if (argc > 1) {
    const int m = course::count_argument(argc, argv, 1, "m", 0, 32768);
    const int n = course::count_argument(argc, argv, 2, "n", m, 32768);
    correct = multiply(cublas, m, n, course::count_argument(argc, argv, 3, "k", n, 32768), true);
  } else {
    correct &= multiply(cublas, 64, 64, 64, false);
    correct &= multiply(cublas, 4095, 4097, 1025, true);
    correct &= multiply(cublas, 4096, 4096, 4096, true);
    correct &= multiply(cublas, 8192, 8192, 8192, true);
  }
  CUBLAS_CHECK(cublasDestroy(cublas));
  std::puts("");
  return course::verdict(correct);
}
#endif
