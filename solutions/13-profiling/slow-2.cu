// Exercise 13-profiling/slow-2: make a slow program fast, step 1 of 2.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/13-profiling/slow-2.cu -o slow-2
// Run:   ./slow-2
//
// The program copies nothing between the rounds. What takes the time?
// ./course --backend cpu profile slow-2

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "exercises/13-profiling/slow-2.hpp"

#include <utility>
#include <vector>

// TODO 1: which thread computes which value if one launch computes all columns?
__global__ void sink(int rows, int cols, const float *now, float *next) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y;
  // TODO end
  if (row < rows) {
    const int above = row > 0 ? row - 1 : rows - 1;
    next[row * cols + col] = 0.5f * (now[row * cols + col] + now[above * cols + col]);
  }
}

void slow_2(int rows, int cols, int rounds, float *field) {
  const size_t bytes = size_t(rows) * cols * sizeof(float);
  float *d_now, *d_next;
  CUDA_CHECK(cudaMalloc(&d_now, bytes));
  CUDA_CHECK(cudaMalloc(&d_next, bytes));
  CUDA_CHECK(cudaMemcpy(d_now, field, bytes, cudaMemcpyHostToDevice));
  for (int round = 0; round < rounds; ++round) {
    // TODO 2: one launch per round
    sink<<<dim3((rows + 255) / 256, cols), 256>>>(rows, cols, d_now, d_next);
    // TODO end
    CUDA_CHECK(cudaGetLastError());
    std::swap(d_now, d_next);
  }
  CUDA_CHECK(cudaMemcpy(field, d_now, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_now));
  CUDA_CHECK(cudaFree(d_next));
}

int main() {
  course::print_device();
  const int rows = course::problem_size(1000, 101), cols = course::problem_size(1500, 103),
            rounds = 50;
  std::vector<float> field(rows * cols), expected(rows * cols), next(rows * cols);
  for (int i = 0; i < rows * cols; ++i)
    field[i] = expected[i] = i % 1013;
  slow_2(rows, cols, 1, next.data()); // the first launch also loads the kernel
  const course::Timer timer;
  slow_2(rows, cols, rounds, field.data());
  course::figure("a round", 1e6 * timer.seconds() / rounds, "us");

  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < rows * cols; ++i)
      next[i] = 0.5f * (expected[i] + expected[i < cols ? i + (rows - 1) * cols : i - cols]);
    std::swap(next, expected);
  }
  return course::verdict(
      course::verify("field", field.data(), field.size(), [&](size_t i) { return expected[i]; }));
}
