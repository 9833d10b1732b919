// Lesson 05: where a warp's addresses go. A matrix is transposed, first with a stride, then through
// tiles in shared memory.
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

// A block of tile x block_rows threads works on tile x tile elements: each thread on four.
constexpr int tile = 32, block_rows = 8;

// [strided]
__global__ void strided(const float *__restrict__ in, float *__restrict__ out, int rows, int cols) {
  const int first_row = blockIdx.y * tile, col = blockIdx.x * tile + threadIdx.x;
  for (int y = threadIdx.y; y < tile; y += block_rows)
    if (first_row + y < rows && col < cols)
      out[col * rows + first_row + y] = in[(first_row + y) * cols + col];
}
// [end]

// [tiled]
__global__ void tiled(const float *__restrict__ in, float *__restrict__ out, int rows, int cols) {
  __shared__ float t[tile][tile + 1]; // one column of padding
  const int first_row = blockIdx.y * tile, first_col = blockIdx.x * tile, x = threadIdx.x;
  for (int y = threadIdx.y; y < tile; y += block_rows)
    if (first_row + y < rows && first_col + x < cols)
      t[y][x] = in[(first_row + y) * cols + first_col + x];
  __syncthreads(); // the whole tile is written before any thread reads from it
  for (int y = threadIdx.y; y < tile; y += block_rows)
    if (first_col + y < cols && first_row + x < rows)
      out[(first_col + y) * rows + first_row + x] = t[x][y];
}
// [end]

// The yardstick: the same traffic, and nothing is transposed.
__global__ void copied(const float *__restrict__ in, float *__restrict__ out, int rows, int cols) {
  const int first_row = blockIdx.y * tile, col = blockIdx.x * tile + threadIdx.x;
  for (int y = threadIdx.y; y < tile; y += block_rows)
    if (first_row + y < rows && col < cols)
      out[(first_row + y) * cols + col] = in[(first_row + y) * cols + col];
}

// Element i of the matrix, row by row. A float holds whole numbers up to 2^24, so elements differ
// from all others nearby.
float value(std::size_t i) { return i % 16'777'213; }

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[rows cols]");
  course::print_device();
  const int standard = course::size(16384, 2000), most = 40000;
  const int rows = course::count_argument(argc, argv, 1, "rows", standard, most);
  const int cols = course::count_argument(argc, argv, 2, "cols", rows, most);
  const std::size_t count = std::size_t(rows) * cols, bytes = count * sizeof(float);
  std::printf("%d rows, %d columns: %.3f GB\n\n", rows, cols, 1e-9 * bytes);

  std::vector<float> host(count);
  for (std::size_t i = 0; i < count; ++i)
    host[i] = value(i);
  float *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, bytes));
  CUDA_CHECK(cudaMalloc(&d_out, bytes));
  CUDA_CHECK(cudaMemcpy(d_in, host.data(), bytes, cudaMemcpyHostToDevice));

  const dim3 block(tile, block_rows);
  const dim3 grid((cols + tile - 1) / tile, (rows + tile - 1) / tile);
  const auto rate = [&](auto launch) { // bytes per second, read and written
    return 2.0 * bytes / course::gpu_seconds(course::size(9, 3), [&] {
             launch();
             CUDA_CHECK(cudaGetLastError());
           });
  };
  const double copy_rate = rate([&] { copied<<<grid, block>>>(d_in, d_out, rows, cols); });
  course::figure("copy", 1e-9 * copy_rate, "GB/s");

  const auto transposes = [&](const char *name, auto launch) {
    CUDA_CHECK(cudaMemset(d_out, 0xFF, bytes)); // NaN: an element that nobody writes shows
    course::figure(name, 1e-9 * rate(launch), "GB/s", 1e-9 * copy_rate, "the copy");
    CUDA_CHECK(cudaMemcpy(host.data(), d_out, bytes, cudaMemcpyDeviceToHost));
    return course::verify(name, host.data(), count,
                          [&](std::size_t i) { return value(i % rows * cols + i / rows); });
  };
  bool correct = transposes("strided", [&] { strided<<<grid, block>>>(d_in, d_out, rows, cols); });
  correct &= transposes("tiled", [&] { tiled<<<grid, block>>>(d_in, d_out, rows, cols); });

  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  std::puts("");
  return course::verdict(correct);
}
