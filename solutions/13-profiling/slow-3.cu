// Exercise 13-profiling/slow-3: make a slow program fast, step 2 of 2.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/13-profiling/slow-3.cu -o slow-3
// Run:   ./slow-3
//
// Every round is one launch, and the result is right. How many sectors does a request need?
// ./course --backend cpu profile --kernels slow-3

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "exercises/13-profiling/slow-3.hpp"

#include <utility>
#include <vector>

__global__ void sink(int rows, int cols, const float *now, float *next) {
  // TODO 1: which value should the neighbouring lane compute?
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (col < cols) {
    // TODO end
    const int above = row > 0 ? row - 1 : rows - 1;
    next[row * cols + col] = 0.5f * (now[row * cols + col] + now[above * cols + col]);
  }
}

void slow_3(int rows, int cols, int rounds, float *field) {
  const size_t bytes = size_t(rows) * cols * sizeof(float);
  float *d_now, *d_next;
  CUDA_CHECK(cudaMalloc(&d_now, bytes));
  CUDA_CHECK(cudaMalloc(&d_next, bytes));
  CUDA_CHECK(cudaMemcpy(d_now, field, bytes, cudaMemcpyHostToDevice));
  for (int round = 0; round < rounds; ++round) {
    // TODO 2: choose a grid for these threads
    sink<<<dim3((cols + 255) / 256, rows), 256>>>(rows, cols, d_now, d_next);
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
  slow_3(rows, cols, 1, next.data()); // the first launch also loads the kernel
  const course::Timer timer;
  slow_3(rows, cols, rounds, field.data());
  course::figure("a round", 1e6 * timer.seconds() / rounds, "us");

  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < rows * cols; ++i)
      next[i] = 0.5f * (expected[i] + expected[i < cols ? i + (rows - 1) * cols : i - cols]);
    std::swap(next, expected);
  }
  return course::verdict(
      course::verify("field", field.data(), field.size(), [&](size_t i) { return expected[i]; }));
}
