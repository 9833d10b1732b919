// Exercise 09-stencil/cold-corner: a bug hunt. The program converges, and the plate is wrong.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. exercises/09-stencil/cold-corner.cu -o cold-corner
// Run:   ./cold-corner
//
// This is the plate of the lesson: its left and right edges are warm in the upper half and cold in
// the lower half. At first the program does no step at all, so begin with TODO 2. Then it converges
// too early, to a wrong plate: look at cold-corner.png. This program cannot detect two of the bugs.
// One needs a plate that is not square, the other needs few steps. The check finds both.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/picture.hpp"
#include "common/verify.hpp"
#include "exercises/09-stencil/cold-corner.hpp"

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

// One step from `now` to `next`. Adds the squares of all changes to *squares.
__global__ void step(const float *now, float *next, int nx, int ny, double *squares) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = y * nx + x;
  // TODO 1: find the bugs: which cells are the inner cells?
  if (x > 1 && x < ny - 1 && y > 1 && y < nx - 1) {
    // TODO end
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
    const double change = next[i] - now[i];
    atomicAdd(squares, change * change);
  }
}

Solve cold_corner(float *u, int nx, int ny, int max_steps, double tolerance) {
  const size_t bytes = sizeof(float) * nx * ny;
  float *d_now = nullptr, *d_next = nullptr;
  double *d_squares = nullptr, squares = 0;
  CUDA_CHECK(cudaMalloc(&d_now, bytes));
  CUDA_CHECK(cudaMalloc(&d_next, bytes));
  CUDA_CHECK(cudaMalloc(&d_squares, sizeof(double)));
  CUDA_CHECK(cudaMemcpy(d_now, u, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_next, u, bytes, cudaMemcpyHostToDevice)); // no step writes the edge

  const dim3 block(32, 8), grid((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y);
  Solve solve = {0, INFINITY};
  // TODO 2: find the bug: when must the loop continue?
  while (solve.change > tolerance && max_steps < solve.steps) {
    // TODO end
    CUDA_CHECK(cudaMemset(d_squares, 0, sizeof(double)));
    step<<<grid, block>>>(d_now, d_next, nx, ny, d_squares);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(&squares, d_squares, sizeof(double), cudaMemcpyDeviceToHost));
    solve = {solve.steps + 1, std::sqrt(squares)};
    std::swap(d_now, d_next);
  }

  // TODO 3: find the bug: which field is the newest?
  CUDA_CHECK(cudaMemcpy(u, d_next, bytes, cudaMemcpyDeviceToHost));
  // TODO end
  CUDA_CHECK(cudaFree(d_now));
  CUDA_CHECK(cudaFree(d_next));
  CUDA_CHECK(cudaFree(d_squares));
  return solve;
}

int main() {
  course::print_device();
  const int nx = 50, ny = 50;
  const double turn = 2 * std::acos(-1.0) / (ny - 1), curve = std::acosh(2 - std::cos(turn));
  const double middle = 0.5 * (nx - 1);
  std::vector<float> u(nx * ny);
  for (int y = 0; y < ny; ++y)
    u[y * nx] = u[y * nx + nx - 1] = float(std::sin(turn * y));

  const Solve solve = cold_corner(u.data(), nx, ny, 20'000, 1e-4);
  std::printf("%d steps; residual %.3e\n", solve.steps, solve.change);
  course::write_picture("cold-corner.png", u.data(), nx, ny, -1, 1, 8);
  // The lesson's formula for the steady state.
  bool correct = solve.steps > 0;
  double largest = 0;
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      const double end = std::sin(turn * y) * std::cosh(curve * (x - middle));
      const double distance = std::abs(u[y * nx + x] - end / std::cosh(curve * middle));
      correct = correct && distance < 0.01; // false for NaN
      largest = std::fmax(largest, distance);
    }
  std::printf("largest difference from the formula: %.4f\n", largest);
  return course::verdict(correct);
}
