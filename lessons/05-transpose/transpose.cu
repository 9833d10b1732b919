// Lesson 05: transpose a matrix, first with a stride, then through tiles in shared memory.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/05-transpose/transpose.cu -o transpose
// Run:   ./transpose [rows cols]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cstdio>
#include <vector>

// A block of TILE x BLOCK_ROWS threads works on TILE x TILE elements: four per thread.
constexpr int TILE = 32, BLOCK_ROWS = 8;

// The reference: a copy moves the same bytes as a transpose.
// [copied]
__global__ void copied(const float *__restrict__ in, float *__restrict__ out, int rows, int cols) {
  const int first_row = blockIdx.y * TILE, col = blockIdx.x * TILE + threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS)
    if (first_row + y < rows && col < cols)
      out[(first_row + y) * cols + col] = in[(first_row + y) * cols + col];
}
// [end]

// [strided]
__global__ void strided(const float *__restrict__ in, float *__restrict__ out, int rows, int cols) {
  const int first_row = blockIdx.y * TILE, col = blockIdx.x * TILE + threadIdx.x;
  for (int y = threadIdx.y; y < TILE; y += BLOCK_ROWS)
    if (first_row + y < rows && col < cols)
      out[col * rows + first_row + y] = in[(first_row + y) * cols + col];
}
// [end]

// [tiled]
__global__ void tiled(const float *__restrict__ in, float *__restrict__ out, int rows, int cols) {
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

// Element i of the input, row by row: an integer that a float holds exactly.
float value(std::size_t i) { return i % 16'777'213; }

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[rows cols]");
  course::print_device();
  const int rows =
      course::count_argument(argc, argv, 1, "rows", course::problem_size(16384, 2000), 40000);
  const int cols =
      course::count_argument(argc, argv, 2, "cols", course::problem_size(16384, 1003), 40000);
  const std::size_t count = std::size_t(rows) * cols, bytes = count * sizeof(float);
  std::printf("%d rows, %d columns: %.3f GB\n\n", rows, cols, 1e-9 * bytes);
  std::vector<float> host(count);
  for (std::size_t i = 0; i < count; ++i)
    host[i] = value(i);
  float *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, bytes));
  CUDA_CHECK(cudaMalloc(&d_out, bytes));
  CUDA_CHECK(cudaMemcpy(d_in, host.data(), bytes, cudaMemcpyHostToDevice));

  const dim3 block(TILE, BLOCK_ROWS);
  const dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  double copy = 0; // GB/s, read and written
  bool correct = true;
  const auto run = [&](const char *name, auto expected, auto launch) {
    CUDA_CHECK(cudaMemset(d_out, 0xFF, bytes)); // NaN in every element
    const double seconds = course::gpu_seconds(course::problem_size(9, 3), [&] {
      launch();
      CUDA_CHECK(cudaGetLastError());
    });
    course::figure(name, 2e-9 * bytes / seconds, "GB/s", {.limit = copy, .limit_is = "the copy"});
    CUDA_CHECK(cudaMemcpy(host.data(), d_out, bytes, cudaMemcpyDeviceToHost));
    correct = course::verify(name, host.data(), count, expected) && correct;
    return 2e-9 * bytes / seconds;
  };
  const auto transposed = [&](std::size_t i) { return value(i % rows * cols + i / rows); };
  copy = run("copy", value, [&] { copied<<<grid, block>>>(d_in, d_out, rows, cols); });
  run("strided", transposed, [&] { strided<<<grid, block>>>(d_in, d_out, rows, cols); });
  run("tiled", transposed, [&] { tiled<<<grid, block>>>(d_in, d_out, rows, cols); });
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  std::puts("");
  return course::verdict(correct);
}
