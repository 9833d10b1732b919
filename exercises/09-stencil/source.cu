// Exercise 09-stencil/source: a plate with a heat source, until it hardly changes.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. exercises/09-stencil/source.cu -o source
// Run:   ./source

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/picture.hpp"
#include "common/verify.hpp"
#include "exercises/09-stencil/source.hpp"

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

// One step from `now` to `next`. Adds the squares of all changes to *squares.
// Blocks of 32 x 8 threads.
__global__ void step(const float *now, const float *heat, float *next, int nx, int ny,
                     double *squares) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;

  // TODO 1: compute the new value of this thread's cell and its change; 0 if it has no inner cell
  // TODO end

  // TODO 2: add up the squares of all changes: within a warp first, as in lesson 07
  // TODO end
}

Solve source(float *u, const float *heat, int nx, int ny, int max_steps, double tolerance) {
  const size_t bytes = sizeof(float) * nx * ny;
  float *d_now = nullptr, *d_next = nullptr, *d_heat = nullptr;
  double *d_squares = nullptr;
  CUDA_CHECK(cudaMalloc(&d_now, bytes));
  CUDA_CHECK(cudaMalloc(&d_next, bytes));
  CUDA_CHECK(cudaMalloc(&d_heat, bytes));
  CUDA_CHECK(cudaMalloc(&d_squares, sizeof(double)));
  CUDA_CHECK(cudaMemcpy(d_now, u, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_next, u, bytes, cudaMemcpyHostToDevice)); // no step writes the edge
  CUDA_CHECK(cudaMemcpy(d_heat, heat, bytes, cudaMemcpyHostToDevice));

  const dim3 block(32, 8), grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
  Solve solve = {0, 0};
  // TODO 3: repeat the step until the plate hardly changes; d_now must be the newest field
  // TODO end

  CUDA_CHECK(cudaMemcpy(u, d_now, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_now));
  CUDA_CHECK(cudaFree(d_next));
  CUDA_CHECK(cudaFree(d_heat));
  CUDA_CHECK(cudaFree(d_squares));
  return solve;
}

// The heat that leaves in one step, times 4: the edge takes a quarter of every cell next to it. In
// the steady state as much heat leaves as enters.
double leaving(const std::vector<float> &u, int nx, int ny) {
  double sum = 0;
  for (int x = 1; x < nx - 1; ++x)
    sum += u[nx + x] + u[(ny - 2) * nx + x];
  for (int y = 1; y < ny - 1; ++y)
    sum += u[y * nx + 1] + u[y * nx + nx - 2];
  return sum;
}

int main() {
  course::print_device();
  const int nx = 41, ny = 27;
  std::vector<float> u(nx * ny), heat(nx * ny);
  for (int y = 6; y < 12; ++y)
    for (int x = 8; x < 20; ++x)
      heat[y * nx + x] = 0.03f; // 72 cells
  const Solve solve = source(u.data(), heat.data(), nx, ny, 20'000, 3e-5);
  if (solve.steps == 0) {
    std::puts("no result yet: fill in TODO 1 to TODO 3");
    return 1;
  }
  std::printf("%d steps; residual %.3e\n", solve.steps, solve.change);
  course::write_picture("source.png", u.data(), nx, ny, -0.6, 0.6, 10);
  bool correct = course::verify_value("heat that leaves", leaving(u, nx, ny), 72 * 0.03, 0.01);
  // One more step. The host computes its residual independently.
  const std::vector<float> before = u;
  const Solve last = source(u.data(), heat.data(), nx, ny, 1, 0);
  double squares = 0;
  for (int i = 0; i < nx * ny; ++i)
    squares += (double(u[i]) - before[i]) * (double(u[i]) - before[i]);
  correct = course::verify_value("change", last.change, std::sqrt(squares), 1e-3) && correct;
  return course::verdict(correct);
}
