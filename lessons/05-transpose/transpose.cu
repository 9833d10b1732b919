// Lesson 05: transpose a matrix, first with a stride, then through tiles in shared memory.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/05-transpose/transpose.cu -o transpose
// Run:   ./transpose [rows cols]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cstddef>
#include <cstdio>
#include <vector>

// The reference: a copy moves the same bytes as a transpose.
// [copied]
__global__ void copied(const float *in, float *out, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols)
    out[row * cols + col] = in[row * cols + col];
}
// [end]

// [strided]
__global__ void strided(const float *in, float *out, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols)
    out[col * rows + row] = in[row * cols + col];
}
// [end]

// From here on, a block of TILE x BLOCK_ROWS threads works on TILE x TILE elements: four per
// thread.
constexpr int TILE = 32, BLOCK_ROWS = 8;

// [tiled]
__global__ void tiled(const float *in, float *out, int rows, int cols) {
  __shared__ float t[TILE][TILE + 1]; // one column of padding
  const int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE, x = threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS)
    if (first_row + y < rows && first_col + x < cols)
      t[y][x] = in[(first_row + y) * cols + first_col + x];
  __syncthreads(); // the whole tile is written before any thread reads from it
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS)
    if (first_col + y < cols && first_row + x < rows)
      out[(first_col + y) * rows + first_row + x] = t[x][y];
}
// [end]

// The reference of `tiled`: a copy with four elements per thread.
__global__ void copied_by_fours(const float *__restrict__ in, float *__restrict__ out, int rows,
                                int cols) {
  const int first_row = blockIdx.y * TILE, col = blockIdx.x * TILE + threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS)
    if (first_row + y < rows && col < cols)
      out[(first_row + y) * cols + col] = in[(first_row + y) * cols + col];
}

// Element i of the input, row by row: an integer that a float holds exactly.
float value(std::size_t i) { return i % 16'777'213; }

// Runs a version several times and prints its rate, compared with a reference if one is given.
// Returns the rate in GB/s.
template <class Launch>
double measure(const char *name, const course::Buffer<float> &d_out,
               const course::FigureDetails &reference, Launch launch) {
  CUDA_CHECK(cudaMemset(d_out.data(), 0xFF, d_out.bytes())); // NaN in every element
  const double seconds = course::gpu_seconds(course::problem_size(9, 3), [&] {
    launch();
    CUDA_CHECK(cudaGetLastError());
  });
  const double rate = 2e-9 * d_out.bytes() / seconds; // read and written
  course::figure(name, rate, "GB/s", reference);
  return rate;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[rows cols]");
  course::print_device();
  const int rows =
      course::count_argument(argc, argv, 1, "rows", course::problem_size(16384, 2000), 40000);
  const int cols =
      course::count_argument(argc, argv, 2, "cols", course::problem_size(16384, 1003), 40000);

  std::vector<float> in(std::size_t(rows) * cols);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = value(i);
  // [buffers]
  const course::Buffer<float> d_in(in);         // allocates, and copies the vector `in`
  const course::Buffer<float> d_out(in.size()); // only allocates
  // [end]
  std::printf("%d rows, %d columns: %.3f GB\n\n", rows, cols, 1e-9 * d_in.bytes());

  const dim3 block(TILE, BLOCK_ROWS);
  const dim3 one_each((cols + TILE - 1) / TILE, (rows + BLOCK_ROWS - 1) / BLOCK_ROWS);
  const dim3 four_each((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  bool correct = true;
  const auto verify = [&](const char *name, auto expected) {
    correct &= course::verify(name, d_out.to_host().data(), d_out.size(), expected);
  };
  const auto transposed = [&](std::size_t i) { return value(i % rows * cols + i / rows); };

  const double copy = measure("copy", d_out, {}, [&] {
    copied<<<one_each, block>>>(d_in.data(), d_out.data(), rows, cols);
  });
  verify("copy", value);

  measure("strided", d_out, {.limit = copy, .limit_is = "the copy"},
          [&] { strided<<<one_each, block>>>(d_in.data(), d_out.data(), rows, cols); });
  verify("strided", transposed);

  const double by_fours = measure("copy by fours", d_out, {}, [&] {
    copied_by_fours<<<four_each, block>>>(d_in.data(), d_out.data(), rows, cols);
  });
  verify("copy by fours", value);

  measure("tiled", d_out, {.limit = by_fours, .limit_is = "the copy by fours"},
          [&] { tiled<<<four_each, block>>>(d_in.data(), d_out.data(), rows, cols); });
  verify("tiled", transposed);

  std::puts("");
  return course::verdict(correct);
}
