// Exercise 05-transpose/slow-rotation: a bug hunt. A picture is rotated by 90 degrees. The
// result is right, but the kernel is slow.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/05-transpose/slow-rotation.cu -o slow-rotation
// Run:   ./slow-rotation
//
// The kernel uses a tile in shared memory, but it is not faster than without. There are two bugs.
// They change no value, so count: ./course --backend cpu run --tool count transpose/slow-rotation

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/05-transpose/slow-rotation.hpp"

#include <vector>

constexpr int TILE = 32, ROWS = 8; // a block has TILE x ROWS threads

__global__ void rotate(int rows, int cols, const float *in, float *out) {
  // TODO 1: find the bug: which elements of the tile are in one bank?
  __shared__ float tile[TILE][TILE];
  // TODO end
  const int first_row = blockIdx.y * TILE, first_col = blockIdx.x * TILE, x = threadIdx.x;

  // TODO 2: find the bug: which elements do the lanes of a warp load together?
  for (int y = threadIdx.y; y < TILE; y += ROWS)
    if (first_row + x < rows && first_col + y < cols)
      tile[x][y] = in[(first_row + x) * cols + first_col + y];
  // TODO end
  __syncthreads();

  for (int y = threadIdx.y; y < TILE; y += ROWS)
    if (first_col + y < cols && first_row + x < rows)
      out[(first_col + y) * rows + rows - 1 - (first_row + x)] = tile[x][y];
}

void slow_rotation(int rows, int cols, const float *in, float *out) {
  const size_t bytes = size_t(rows) * cols * sizeof(float);
  float *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, bytes));
  CUDA_CHECK(cudaMalloc(&d_out, bytes));
  CUDA_CHECK(cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice));

  const dim3 block(TILE, ROWS), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  rotate<<<grid, block>>>(rows, cols, d_in, d_out);
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main() {
  course::print_device();
  const int rows = course::problem_size(3001, 301), cols = course::problem_size(4003, 403);
  std::vector<float> in(rows * cols), out(rows * cols);
  for (int i = 0; i < rows * cols; ++i)
    in[i] = i % 1'000'003;
  slow_rotation(rows, cols, in.data(), out.data());
  return course::verdict(course::verify("out", out.data(), out.size(), [&](size_t i) {
    return in[(rows - 1 - i % rows) * cols + i / rows];
  }));
}
