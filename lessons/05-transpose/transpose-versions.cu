// Lesson 05, versions: a transpose from a stride to the speed of a copy; bytes in flight.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/05-transpose/transpose-versions.cu -o transpose-versions
// Run:   ./transpose-versions [rows cols]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

// A block of TILE x BLOCK_ROWS threads works on TILE x TILE elements: four per thread.
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

// Versions 4 and 5: a tile in shared memory. Version 4 has no padding (width is TILE), so a column
// of the tile is in one bank. Version 5 has a column of padding. A block has TILE x block_rows
// threads, and every thread moves TILE / block_rows elements: 1, 2, 4 or 8.
template <int width, int block_rows>
__global__ void tiled(const float *in, float *out, int rows, int cols) {
  __shared__ float t[TILE][width];
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

float value(std::size_t i) { return i % 16'777'213; } // an integer that a float holds exactly

std::vector<float> values(std::size_t count) {
  std::vector<float> result(count);
  for (std::size_t i = 0; i < count; ++i)
    result[i] = value(i);
  return result;
}

// The input and the output of all kernels.
struct Matrices {
  int rows, cols;
  course::Buffer<float> in, out;
  bool correct = true;

  Matrices(int rows, int cols)
      : rows(rows), cols(cols), in(values(std::size_t(rows) * cols)), out(in.size()) {}

  // Runs a version several times and verifies the output. Returns the rate in GB/s.
  template <class Launch> double rate(const char *what, bool transposed, Launch launch) {
    CUDA_CHECK(cudaMemset(out.data(), 0xFF, out.bytes())); // NaN in every element
    const double seconds = course::gpu_seconds(course::problem_size(9, 3), [&] {
      launch();
      CUDA_CHECK(cudaGetLastError());
    });
    const auto expected = [&](std::size_t i) {
      return value(transposed ? i % rows * cols + i / rows : i);
    };
    correct &= course::verify(what, out.to_host().data(), out.size(), expected);
    return 2e-9 * out.bytes() / seconds; // read and written
  }
};

// From a copy to a transpose at the same speed.
void transposes(Matrices &m) {
  double copy = 0;
  const auto run = [&](const char *what, bool transposed, auto launch) {
    const double rate = m.rate(what, transposed, launch);
    course::figure(what, rate, "GB/s", {.limit = copy, .limit_is = "the copy"});
    return rate;
  };
  // A kernel whose blocks move side x side elements.
  const auto run_kernel = [&](const char *what, bool transposed, auto kernel, dim3 block,
                              int side = TILE) {
    const dim3 grid((m.cols + side - 1) / side, (m.rows + side - 1) / side);
    return run(what, transposed,
               [&] { kernel<<<grid, block>>>(m.in.data(), m.out.data(), m.rows, m.cols); });
  };
  const dim3 block(TILE, BLOCK_ROWS);
  copy = run_kernel("copy", false, copied, block);
  run_kernel("copy without __restrict__", false, copied_one_by_one, block);
  run("cudaMemcpy within the device", false, [&] {
    CUDA_CHECK(cudaMemcpyAsync(m.out.data(), m.in.data(), m.in.bytes(), cudaMemcpyDeviceToDevice));
  });
  run_kernel("strided stores", true, strided_stores, block);
  run_kernel("strided loads", true, strided_loads, block);
  run_kernel("tiles of 32 x 32: bank conflicts", true, tiled<32, 8>, block);
  run_kernel("tiles of 32 x 33", true, tiled<33, 8>, block);
  run_kernel("... 32 x 32 threads, 1 element each", true, tiled<33, 32>, dim3(TILE, 32));
  run_kernel("... 32 x 16 threads, 2 elements each", true, tiled<33, 16>, dim3(TILE, 16));
  run_kernel("... 32 x 4 threads, 8 elements each", true, tiled<33, 4>, dim3(TILE, 4));
  run_kernel("... 32 x 8 threads, blocks in strips", true, tiled_in_strips, block);
  if (m.rows % 4 == 0 && m.cols % 4 == 0)
    run_kernel("tiles of 64 x 65, float4", true, tiled_float4, dim3(WIDE / 4, WIDE_ROWS), WIDE);
  else
    std::puts("   tiles of 64 x 65, float4: skipped, rows and cols must be multiples of 4");
}

// A copy with fewer threads per multiprocessor, and with more loads in flight per thread. Every
// block of 256 threads reserves `shared` bytes of shared memory that it does not use, so fewer
// blocks fit. Prints the rate.
template <int loads> void print_rate_in_flight(Matrices &m, int shared) {
  const int count = m.in.size(), blocks = (count + 256 * loads - 1) / (256 * loads);
  CUDA_CHECK(cudaFuncSetAttribute(copied_in_flight<loads>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  std::printf(" %10.4g", m.rate("copy in flight", false, [&] {
    copied_in_flight<loads><<<blocks, 256, shared>>>(m.in.data(), m.out.data(), count);
  }));
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
    print_rate_in_flight<1>(m, shared);
    print_rate_in_flight<4>(m, shared);
    print_rate_in_flight<16>(m, shared);
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
  transposes(m);
  bytes_in_flight(m);
  std::puts("");
  return course::verdict(m.correct);
}
