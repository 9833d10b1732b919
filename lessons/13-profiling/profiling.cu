// Lesson 13: find out where the time goes before you change anything. Heaters warm a plate, step by
// step. The answer is right, and three things make it slow: a profiler shows which.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/13-profiling/profiling.cu -o profiling
// Run:   ./profiling [nx ny [steps]]
//
// The plate has ny rows of nx cells; cell (x, y) is field[y * nx + x]. The cells of the edge stay
// 0.
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <utility>
#include <vector>

__host__ __device__ float mean(const float *field, int nx, int x, int y) {
  const float *cell = field + std::size_t(y) * nx + x;
  return 0.25f * (cell[-1] + cell[1] + cell[-nx] + cell[nx]);
}

__global__ void step(const float *now, float *next, int nx, int ny) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
    next[std::size_t(y) * nx + x] = mean(now, nx, x, y);
}

__global__ void heat(float *field, std::size_t cell, float temperature) {
  field[cell] = temperature;
}

// Heater k of `heaters`: its cell, on the plate's diagonal.
constexpr int heaters = 64;
std::size_t cell_of(int k, int nx, int ny) {
  const std::size_t y = 1 + std::size_t(k) * (ny - 2) / heaters;
  return y * nx + 1 + std::size_t(k) * (nx - 2) / heaters;
}

// The mean temperature after each step.
// [steps]
std::vector<double> simulate(float *d_now, float *d_next, int nx, int ny, int steps) {
  const dim3 block(32, 8), grid((ny + 31) / 32, (nx + 7) / 8);
  std::vector<float> field(std::size_t(nx) * ny);
  std::vector<double> means;
  for (int i = 0; i < steps; ++i) {
    nvtxRangePush("heaters");
    for (int k = 0; k < heaters; ++k)
      heat<<<1, 1>>>(d_now, cell_of(k, nx, ny), 100);
    nvtxRangePop();
    nvtxRangePush("step");
    step<<<grid, block>>>(d_now, d_next, nx, ny);
    CUDA_CHECK(cudaGetLastError());
    nvtxRangePop();
    nvtxRangePush("mean temperature");
    CUDA_CHECK(cudaMemcpy(field.data(), d_next, field.size() * sizeof(float), cudaMemcpyDefault));
    double sum = 0;
    for (float temperature : field)
      sum += temperature;
    means.push_back(sum / field.size());
    nvtxRangePop();
    std::swap(d_now, d_next);
  }
  return means;
}
// [end]

// The same on the host alone.
std::vector<double> reference(int nx, int ny, int steps) {
  std::vector<float> now(std::size_t(nx) * ny), next(now);
  std::vector<double> means;
  for (int i = 0; i < steps; ++i) {
    for (int k = 0; k < heaters; ++k)
      now[cell_of(k, nx, ny)] = 100;
    double sum = 0;
    for (int y = 1; y < ny - 1; ++y)
      for (int x = 1; x < nx - 1; ++x)
        sum += next[std::size_t(y) * nx + x] = mean(now.data(), nx, x, y);
    means.push_back(sum / now.size());
    std::swap(now, next);
  }
  return means;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 3, "[nx ny [steps]]");
  course::print_device();
  const int nx = course::count_argument(argc, argv, 1, "nx", course::size(4003, 403), 20'000, 3);
  const int ny = course::count_argument(argc, argv, 2, "ny", course::size(3001, 301), 20'000, 3);
  const int steps = course::count_argument(argc, argv, 3, "steps", 20, 1000);
  std::printf("%d x %d cells, %d steps, %d heaters\n\n", nx, ny, steps, heaters);

  const std::size_t bytes = std::size_t(nx) * ny * sizeof(float);
  float *d_now, *d_next;
  CUDA_CHECK(cudaMalloc(&d_now, bytes));
  CUDA_CHECK(cudaMalloc(&d_next, bytes));
  CUDA_CHECK(cudaMemset(d_now, 0, bytes));
  CUDA_CHECK(cudaMemset(d_next, 0, bytes));
  simulate(d_now, d_next, nx, ny, 1); // the first launch of a kernel also loads it
  CUDA_CHECK(cudaMemset(d_now, 0, bytes));
  CUDA_CHECK(cudaMemset(d_next, 0, bytes));
  const course::Timer timer;
  const auto means = simulate(d_now, d_next, nx, ny, steps);
  course::figure("a step", 1e3 * timer.seconds() / steps, "ms");

  const auto expected = reference(nx, ny, steps);
  CUDA_CHECK(cudaFree(d_now));
  CUDA_CHECK(cudaFree(d_next));
  std::puts("");
  return course::verdict(course::verify(
      "mean", means.data(), means.size(), [&](std::size_t i) { return expected[i]; }, 1e-12));
}
