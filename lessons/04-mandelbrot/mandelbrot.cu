// Lesson 04: the Mandelbrot set, with one kernel per step and with one kernel for all steps.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/04-mandelbrot/mandelbrot.cu -o mandelbrot
// Run:   ./mandelbrot [width max_steps]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/picture.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

// The c of a pixel: -2 < x < 0.5, -1.25 < y < 1.25. fma(a, b, c) is a * b + c, rounded once.
__host__ __device__ double2 point(int col, int row, int width) {
  return {fma(col + 0.5, 2.5 / width, -2.0), fma(row + 0.5, 2.5 / width, -1.25)};
}

// [step]
__device__ double2 next(double2 z, double2 c) { // z^2 + c, with z = x + iy
  return {fma(z.x, z.x, fma(-z.y, z.y, c.x)), fma(2 * z.x, z.y, c.y)};
}
__device__ bool inside(double2 z) { return fma(z.x, z.x, z.y * z.y) <= 4; } // |z| <= 2
// [end]

// Version 1: one step for all pixels. z is in memory.
// [pass]
__global__ void one_step(double2 *z, int *steps, int width) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = row * width + col;
  if (col < width && row < width && inside(z[i])) {
    z[i] = next(z[i], point(col, row, width));
    ++steps[i];
  }
}
// [end]

// Version 2: all steps of a pixel. z is in registers.
// [fused]
__global__ void all_steps(int *steps, int width, int max_steps) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= width)
    return;
  const double2 c = point(col, row, width);
  int step = 0;
  for (double2 z = {0, 0}; step < max_steps && inside(z); ++step)
    z = next(z, c);
  steps[row * width + col] = step; // the only access to memory
}
// [end]

// The number of steps where a formula gives it: max_steps in the heart and in the largest disc of
// the set, 1 if |c| > 2.01. Elsewhere 0.
int known_steps(double2 c, int max_steps) {
  const double x = c.x - 0.25, q = x * x + c.y * c.y;
  const bool in_heart = 4 * q * (q + x) < c.y * c.y;
  const bool in_disc = std::hypot(c.x + 1, c.y) < 0.25;
  if (in_heart || in_disc)
    return max_steps;
  return std::hypot(c.x, c.y) > 2.01 ? 1 : 0;
}

// Draws at most 1024 x 1024 pixels.
void draw(const std::vector<int> &steps, int width, int max_steps) {
  const int scale = (width + 1023) / 1024, side = width / scale;
  std::vector<float> shades;
  for (int row = 0; row < side; ++row)
    for (int col = 0; col < side; ++col)
      shades.push_back(std::log2(steps[(row * width + col) * scale]));
  course::write_picture("mandelbrot.png", shades.data(), side, side, 0, std::log2(max_steps));
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[width max_steps]");
  course::print_device();
  const int width =
      course::count_argument(argc, argv, 1, "width", course::problem_size(8192, 500), 16384);
  const int max_steps =
      course::count_argument(argc, argv, 2, "max_steps", course::problem_size(1000, 200));

  const int n = width * width;
  const dim3 block(32, 4), grid((width + 31) / 32, (width + 3) / 4);
  std::vector<int> first(n), steps(n); // of versions 1 and 2
  int *d_steps;
  double2 *d_z;
  CUDA_CHECK(cudaMalloc(&d_steps, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_z, n * sizeof(double2)));

  const double passes = course::gpu_seconds(1, [&] {
    CUDA_CHECK(cudaMemset(d_z, 0, n * sizeof(double2)));
    CUDA_CHECK(cudaMemset(d_steps, 0, n * sizeof(int)));
    for (int step = 0; step < max_steps; ++step)
      one_step<<<grid, block>>>(d_z, d_steps, width);
    CUDA_CHECK(cudaGetLastError());
  });
  CUDA_CHECK(cudaMemcpy(first.data(), d_steps, n * sizeof(int), cudaMemcpyDeviceToHost));

  CUDA_CHECK(cudaMemset(d_steps, 0xFF, n * sizeof(int))); // -1
  const double fused = course::gpu_seconds(3, [&] {
    all_steps<<<grid, block>>>(d_steps, width, max_steps);
    CUDA_CHECK(cudaGetLastError());
  });
  CUDA_CHECK(cudaMemcpy(steps.data(), d_steps, n * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_steps));
  CUDA_CHECK(cudaFree(d_z));

  const double total = std::accumulate(steps.begin(), steps.end(), 0.0);
  std::printf("%d x %d pixels, %.4g steps\n", width, width, total);
  course::figure("a kernel per step", 1e-9 * total / passes, "Gstep/s", {.seconds = passes});
  course::figure("  its traffic", 1e-9 * (16.0 * n * max_steps + 24 * total) / passes, "GB/s");
  course::figure("one kernel", 1e-9 * total / fused, "Gstep/s", {.seconds = fused});
  draw(steps, width, max_steps);

  return course::verdict(course::verify("steps", steps.data(), n, [&](std::size_t i) {
    const int known = known_steps(point(i % width, i / width, width), max_steps);
    return known > 0 ? known : first[i];
  }));
}
