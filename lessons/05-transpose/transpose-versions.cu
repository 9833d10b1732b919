// Lesson 05, versions: a transpose from a stride to the speed of a copy; strides; bytes in flight.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/05-transpose/transpose-versions.cu -o transpose-versions
// Run:   ./transpose-versions [rows cols]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

// In versions 1 to 4, a block of TILE x BLOCK_ROWS threads works on TILE x TILE elements, four per
// thread.
constexpr int TILE = 32, BLOCK_ROWS = 8;

// Version 1: the reference, a copy.
__global__ void copied(const float *__restrict__ in, float *__restrict__ out, int rows, int cols) {
  const int first_row = blockIdx.y * TILE, col = blockIdx.x * TILE + threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS)
    if (first_row + y < rows && col < cols)
      out[(first_row + y) * cols + col] = in[(first_row + y) * cols + col];
}

// Version 1 without __restrict__: a load cannot be issued before the previous store.
__global__ void copied_one_by_one(const float *in, float *out, int rows, int cols) {
  const int first_row = blockIdx.y * TILE, col = blockIdx.x * TILE + threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS)
    if (first_row + y < rows && col < cols)
      out[(first_row + y) * cols + col] = in[(first_row + y) * cols + col];
}

// Version 2: a warp reads along a row and writes down a column.
__global__ void strided_stores(const float *__restrict__ in, float *__restrict__ out, int rows,
                               int cols) {
  const int first_row = blockIdx.y * TILE, col = blockIdx.x * TILE + threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS)
    if (first_row + y < rows && col < cols)
      out[col * rows + first_row + y] = in[(first_row + y) * cols + col];
}

// Version 3: a warp reads down a column and writes along a row.
__global__ void strided_loads(const float *__restrict__ in, float *__restrict__ out, int rows,
                              int cols) {
  const int row = blockIdx.y * TILE + threadIdx.x, first_col = blockIdx.x * TILE;
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS)
    if (row < rows && first_col + y < cols)
      out[(first_col + y) * rows + row] = in[row * cols + first_col + y];
}

// Version 4: a tile in shared memory, without padding. A column of the tile is in one bank.
__global__ void tiled_with_conflicts(const float *in, float *out, int rows, int cols) {
  __shared__ float t[TILE][TILE];
  const int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE, x = threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS)
    if (first_row + y < rows && first_col + x < cols)
      t[y][x] = in[(first_row + y) * cols + first_col + x];
  __syncthreads();
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS)
    if (first_col + y < cols && first_row + x < rows)
      out[(first_col + y) * rows + first_row + x] = t[x][y];
}

// Version 5: with padding. A block has TILE x block_rows threads, and every thread moves
// TILE / block_rows elements: 1, 2, 4 or 8.
template <int block_rows> __global__ void tiled(const float *in, float *out, int rows, int cols) {
  __shared__ float t[TILE][TILE + 1];
  const int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE, x = threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += block_rows)
    if (first_row + y < rows && first_col + x < cols)
      t[y][x] = in[(first_row + y) * cols + first_col + x];
  __syncthreads();
  for (int y = threadIdx.y; y < TILE; y += block_rows)
    if (first_col + y < cols && first_row + x < rows)
      out[(first_col + y) * rows + first_row + x] = t[x][y];
}

// Version 6: blocks in strips. Blocks start roughly in the order of their indices. This kernel
// assigns tiles to them column by column, within strips of 32 rows of tiles. So the blocks that run
// at the same time work on a square of tiles, not on a row of tiles.
__global__ void tiled_in_strips(const float *in, float *out, int rows, int cols) {
  __shared__ float t[TILE][TILE + 1];
  const int strip = 32, index = blockIdx.y * gridDim.x + blockIdx.x;
  const int first_tile_row = index / (strip * gridDim.x) * strip; // of this strip
  const int in_strip = index - first_tile_row * gridDim.x;
  const int strip_rows = min(strip, gridDim.y - first_tile_row); // the last strip may be smaller
  const int first_row = (first_tile_row + in_strip % strip_rows) * TILE;
  const int first_col = in_strip / strip_rows * TILE, x = threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS)
    if (first_row + y < rows && first_col + x < cols)
      t[y][x] = in[(first_row + y) * cols + first_col + x];
  __syncthreads();
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS)
    if (first_col + y < cols && first_row + x < rows)
      out[(first_col + y) * rows + first_row + x] = t[x][y];
}

// Version 7: tiles of 64 x 64 elements, 16 x 16 threads. Every thread loads and stores four times
// four floats (16 bytes) at once, so rows and cols must be multiples of 4.
constexpr int WIDE = 64, WIDE_ROWS = 16;

// [float4]
__global__ void tiled_float4(const float *in, float *out, int rows, int cols) {
  __shared__ float t[WIDE][WIDE + 1];
  const int first_row = blockIdx.y * WIDE, first_col = blockIdx.x * WIDE, x = 4 * threadIdx.x;
  for (int y = threadIdx.y; y < WIDE; y += WIDE_ROWS)
    if (first_row + y < rows && first_col + x < cols) {
      const int i = (first_row + y) * cols + first_col + x;
      const float4 v = *reinterpret_cast<const float4 *>(in + i);
      t[y][x] = v.x, t[y][x + 1] = v.y, t[y][x + 2] = v.z, t[y][x + 3] = v.w;
    }
  __syncthreads();
  for (int y = threadIdx.y; y < WIDE; y += WIDE_ROWS)
    if (first_col + y < cols && first_row + x < rows) {
      const int i = (first_col + y) * rows + first_row + x;
      const float4 v = {t[x][y], t[x + 1][y], t[x + 2][y], t[x + 3][y]};
      *reinterpret_cast<float4 *>(out + i) = v;
    }
}
// [end]

// Strides: thread i copies element i * stride.
__global__ void copied_with_stride(const float *in, float *out, int elements, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements)
    out[i * stride] = in[i * stride];
}

// Bytes in flight: every thread issues all of its loads before it needs the first value.
template <int loads> __global__ void copied_in_flight(const float *in, float *out, int count) {
  const int first = blockIdx.x * blockDim.x * loads + threadIdx.x, step = blockDim.x;
  float values[loads] = {};
  for (int k = 0; k < loads; ++k)
    if (first + k * step < count)
      values[k] = in[first + k * step];
  for (int k = 0; k < loads; ++k)
    if (first + k * step < count)
      out[first + k * step] = values[k];
}

int blocks_for(int n, int size) { return (n + size - 1) / size; }

template <class Launch> double seconds_of(const Launch &launch) {
  return course::gpu_seconds(course::problem_size(9, 3), [&] {
    launch();
    CUDA_CHECK(cudaGetLastError());
  });
}

float value(std::size_t i) { return i % 16'777'213; } // an integer that a float holds exactly

// The input and the output on the device.
struct Matrices {
  int rows, cols;
  std::size_t count, bytes;
  std::vector<float> host;
  float *d_in, *d_out;
  bool correct = true;

  Matrices(int the_rows, int the_cols)
      : rows(the_rows), cols(the_cols), count(std::size_t(rows) * cols),
        bytes(count * sizeof(float)), host(count) {
    for (std::size_t i = 0; i < count; ++i)
      host[i] = value(i);
    CUDA_CHECK(cudaMalloc(&d_in, bytes));
    CUDA_CHECK(cudaMalloc(&d_out, bytes));
    CUDA_CHECK(cudaMemcpy(d_in, host.data(), bytes, cudaMemcpyHostToDevice));
  }
  ~Matrices() {
    cudaFree(d_in);
    cudaFree(d_out);
  }
  void clear() { CUDA_CHECK(cudaMemset(d_out, 0xFF, bytes)); } // NaN in every element

  // Verifies every stride-th element of the output.
  void verify(const char *what, bool transposed, std::size_t stride = 1) {
    CUDA_CHECK(cudaMemcpy(host.data(), d_out, bytes, cudaMemcpyDeviceToHost));
    const std::size_t elements = (count + stride - 1) / stride;
    for (std::size_t k = 0; k < elements; ++k)
      host[k] = host[k * stride];
    const auto expected = [&](std::size_t k) {
      const std::size_t i = k * stride;
      return value(transposed ? i % rows * cols + i / rows : i);
    };
    correct = course::verify(what, host.data(), elements, expected) && correct;
  }
};

// 1. From a copy to a transpose at the same speed. Returns the rate of the copy in GB/s.
double transposes(Matrices &m) {
  double copy = 0;
  const auto run = [&](const char *what, bool transposed, auto launch) {
    m.clear();
    const double rate = 2e-9 * m.bytes / seconds_of(launch);
    course::figure(what, rate, "GB/s", {.limit = copy, .limit_is = "the copy"});
    m.verify(what, transposed);
    return rate;
  };
  const float *in = m.d_in;
  float *out = m.d_out;
  const int rows = m.rows, cols = m.cols;
  const dim3 block(TILE, BLOCK_ROWS);
  const dim3 grid(blocks_for(cols, TILE), blocks_for(rows, TILE));
  const dim3 wide_grid(blocks_for(cols, WIDE), blocks_for(rows, WIDE));
  copy = run("copy", false, [&] { copied<<<grid, block>>>(in, out, rows, cols); });
  run("copy without __restrict__", false,
      [&] { copied_one_by_one<<<grid, block>>>(in, out, rows, cols); });
  run("cudaMemcpy within the device", false,
      [&] { CUDA_CHECK(cudaMemcpyAsync(out, in, m.bytes, cudaMemcpyDeviceToDevice)); });
  run("strided stores", true, [&] { strided_stores<<<grid, block>>>(in, out, rows, cols); });
  run("strided loads", true, [&] { strided_loads<<<grid, block>>>(in, out, rows, cols); });
  run("tiles of 32 x 32: bank conflicts", true,
      [&] { tiled_with_conflicts<<<grid, block>>>(in, out, rows, cols); });
  run("tiles of 32 x 33", true, [&] { tiled<8><<<grid, block>>>(in, out, rows, cols); });
  run("... 32 x 32 threads, 1 element each", true,
      [&] { tiled<32><<<grid, dim3(TILE, 32)>>>(in, out, rows, cols); });
  run("... 32 x 16 threads, 2 elements each", true,
      [&] { tiled<16><<<grid, dim3(TILE, 16)>>>(in, out, rows, cols); });
  run("... 32 x 4 threads, 8 elements each", true,
      [&] { tiled<4><<<grid, dim3(TILE, 4)>>>(in, out, rows, cols); });
  run("... 32 x 8 threads, blocks in strips", true,
      [&] { tiled_in_strips<<<grid, block>>>(in, out, rows, cols); });
  if (rows % 4 == 0 && cols % 4 == 0)
    run("tiles of 64 x 65, float4", true,
        [&] { tiled_float4<<<wide_grid, dim3(16, WIDE_ROWS)>>>(in, out, rows, cols); });
  else
    std::puts("   tiles of 64 x 65, float4: skipped, rows and cols must be multiples of 4");
  return copy;
}

// 2. A copy of every stride-th element. The rate counts the bytes that the kernel uses.
void strides(Matrices &m, double copy) {
  std::puts("\na copy of every s-th float: the bytes that it uses");
  for (int stride = 1; stride <= 32; stride *= 2) {
    const int elements = (int(m.count) + stride - 1) / stride;
    m.clear();
    const double seconds = seconds_of([&] {
      copied_with_stride<<<blocks_for(elements, 256), 256>>>(m.d_in, m.d_out, elements, stride);
    });
    const std::string what = "stride " + std::to_string(stride);
    course::figure(what.c_str(), 2e-9 * elements * sizeof(float) / seconds, "GB/s",
                   {.limit = copy, .limit_is = "the copy"});
    m.verify(what.c_str(), false, stride);
  }
}

// 3. Fewer threads per multiprocessor, and more loads in flight per thread. Every block of 256
//    threads reserves `shared` bytes of shared memory that it does not use, so fewer blocks fit.
template <int loads> double rate_in_flight(Matrices &m, int shared) {
  const int count = int(m.count);
  CUDA_CHECK(cudaFuncSetAttribute(copied_in_flight<loads>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  m.clear();
  const double seconds = seconds_of([&] {
    copied_in_flight<loads>
        <<<blocks_for(count, 256 * loads), 256, shared>>>(m.d_in, m.d_out, count);
  });
  m.verify("copy in flight", false);
  return 2e-9 * m.bytes / seconds;
}

void bytes_in_flight(Matrices &m) {
  std::puts("\na copy by fewer threads: GB/s with 1, 4 and 16 loads in flight per thread");
  const int per_multiprocessor = course::attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  const int per_block = course::attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  for (int blocks : {8, 4, 2, 1}) {
    const int shared = blocks == 8 ? 0 : std::min(per_block, per_multiprocessor / blocks - 1024);
    int resident = 0; // blocks per multiprocessor
    CUDA_CHECK(cudaFuncSetAttribute(copied_in_flight<1>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, copied_in_flight<1>, 256, shared));
    std::printf("   %4d threads per multiprocessor", 256 * resident);
    for (double rate : {rate_in_flight<1>(m, shared), rate_in_flight<4>(m, shared),
                        rate_in_flight<16>(m, shared)})
      std::printf(" %10.4g", rate);
    std::puts("");
  }
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[rows cols]");
  course::print_device();
  const int rows =
      course::count_argument(argc, argv, 1, "rows", course::problem_size(16384, 1500), 40000);
  const int cols = course::count_argument(argc, argv, 2, "cols", rows, 40000);
  std::printf("%d rows, %d columns\n", rows, cols);
  Matrices m(rows, cols);
  const double copy = transposes(m);
  strides(m, copy);
  bytes_in_flight(m);
  std::puts("");
  return course::verdict(m.correct);
}
