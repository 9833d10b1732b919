// Lesson 04, versions: divergence, fewer tests of |z|, and float.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/04-mandelbrot/mandelbrot-versions.cu -o mandelbrot-versions
// Run:   ./mandelbrot-versions [width max_steps]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

// The kernels exist twice: T is double or float.
template <class T> struct Complex { T x, y; };

template <class T> __host__ __device__ Complex<T> point(int col, int row, int width) {
  return {fma(col + T(0.5), T(2.5) / width, T(-2)), fma(row + T(0.5), T(2.5) / width, T(-1.25))};
}

// z^2 + c: three multiply-adds and one multiplication.
template <class T> __host__ __device__ Complex<T> next(Complex<T> z, Complex<T> c) {
  return {fma(z.x, z.x, fma(-z.y, z.y, c.x)), fma(2 * z.x, z.y, c.y)};
}

// |z| <= 2: one multiplication, one multiply-add and one comparison.
template <class T> __host__ __device__ bool inside(Complex<T> z) {
  return fma(z.x, z.x, z.y * z.y) <= 4;
}

// The number of steps until |z| > 2, at most max_steps. The first `step` steps led to z.
template <class T>
__host__ __device__ int count_steps(Complex<T> c, int max_steps, Complex<T> z = {0, 0},
                                    int step = 0) {
  for (; step < max_steps && inside(z); ++step)
    z = next(z, c);
  return step;
}

// Version 2: the kernel of mandelbrot.cu. The shape of the block is the shape of its warps.
template <class T> __global__ void all_steps(int *steps, int width, int max_steps) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= width)
    return;
  steps[row * width + col] = count_steps(point<T>(col, row, width), max_steps);
}

// The column of a thread in version 3: lane k of a warp is in strip k of 32 vertical strips.
__host__ __device__ int far_column(int thread, int width) {
  return thread % 32 * ((width + 31) / 32) + thread / 32;
}

// Version 3: the lanes of a warp are far from each other, so their numbers of steps differ.
__global__ void far_lanes(int *steps, int width, int max_steps) {
  const int col = far_column(blockIdx.x * blockDim.x + threadIdx.x, width);
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= width)
    return;
  steps[row * width + col] = count_steps(point<double>(col, row, width), max_steps);
}

// Version 4: tests |z| once in 16 steps. If z has escaped, these 16 steps are repeated one by one
// from the saved z, so the count is the same. A z with |z| > 2 never returns: |z| grows to infinity
// or NaN, and neither is inside.
template <class T> __global__ void sixteen_steps(int *steps, int width, int max_steps) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= width)
    return;
  const Complex<T> c = point<T>(col, row, width);
  Complex<T> z = {0, 0};
  int step = 0;
  for (; step + 16 <= max_steps; step += 16) {
    const Complex<T> saved = z;
#pragma unroll
    for (int i = 0; i < 16; ++i)
      z = next(z, c);
    if (!inside(z)) {
      z = saved;
      break;
    }
  }
  steps[row * width + col] = count_steps(c, max_steps, z, step);
}

// The limit: k multiply-adds for each of eight numbers per thread, which do not depend on each
// other.
template <class T> __global__ void multiply_adds(T *out, int n, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T x[8];
  for (int j = 0; j < 8; ++j)
    x[j] = i + j;
#pragma unroll 16
  for (int step = 0; step < k; ++step)
    for (T &value : x)
      value = value * T(0.75) + T(0.5);
  for (int j = 1; j < 8; ++j)
    x[0] += x[j];
  out[i] = x[0];
}

// 10^9 Mandelbrot steps per second, if the device executed nothing but the four instructions of
// `next`.
template <class T> double step_limit() {
  const int n = course::problem_size(1 << 24, 1 << 12), k = course::problem_size(512, 32);
  const course::Buffer<T> out(n);
  const double seconds = course::gpu_seconds(5, [&] {
    multiply_adds<<<(n + 255) / 256, 256>>>(out.data(), n, k);
    CUDA_CHECK(cudaGetLastError());
  });
  return 1e-9 * 8 * n * k / 4 / seconds;
}

double sum(const std::vector<int> &steps) {
  return std::accumulate(steps.begin(), steps.end(), 0.0);
}

// Prints the busy lanes of version 2 or 3, computed from the counts: a warp runs as long as its
// longest lane.
void print_busy_lanes(const std::vector<int> &steps, int width, dim3 block, bool far) {
  const int warp_width = block.x, warp_height = 32 / warp_width;
  double executed = 0;
  for (int first_row = 0; first_row < width; first_row += warp_height)
    for (int first = 0; first < (width + 31) / 32 * 32; first += warp_width) {
      int longest = 0;
      for (int lane = 0; lane < 32; ++lane) {
        const int thread = first + lane % warp_width, row = first_row + lane / warp_width;
        const int col = far ? far_column(thread, width) : thread;
        if (col < width && row < width)
          longest = std::max(longest, steps[row * width + col]);
      }
      executed += 32.0 * longest;
    }
  std::printf("     %.1f %% of the lanes are busy\n", 100 * sum(steps) / executed);
}

// Prints the share of pixels with other counts than in double: rounding changes a few. Returns
// false if there are more than 5 %.
bool nearly_equal(const std::vector<int> &steps, const std::vector<int> &in_double) {
  double differ = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    differ += steps[i] != in_double[i];
  const double share = 100 * differ / steps.size();
  std::printf("     %.2f %% of the pixels have other counts than in double\n", share);
  return share < 5;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[width max_steps]");
  course::print_device();
  const int width =
      course::count_argument(argc, argv, 1, "width", course::problem_size(8192, 500), 16384);
  const int max_steps =
      course::count_argument(argc, argv, 2, "max_steps", course::problem_size(1000, 200));
  std::printf("\n%d x %d pixels, at most %d steps\n", width, width, max_steps);

  const course::Buffer<int> d_steps(width * width);
  const auto run = [&](const char *what, auto kernel, dim3 block, double limit) {
    const dim3 grid((width + 31) / 32 * 32 / block.x, (width + block.y - 1) / block.y);
    CUDA_CHECK(cudaMemset(d_steps.data(), 0xFF, d_steps.bytes())); // -1
    const double seconds = course::gpu_seconds(5, [&] {
      kernel<<<grid, block>>>(d_steps.data(), width, max_steps);
      CUDA_CHECK(cudaGetLastError());
    });
    const std::vector<int> steps = d_steps.to_host();
    course::figure(what, 1e-9 * sum(steps) / seconds, "Gstep/s",
                   {.limit = limit, .limit_is = "multiply-adds", .seconds = seconds});
    return steps;
  };
  const dim3 wide(32, 4), square(8, 16); // warps of 32 x 1 and of 8 x 4 pixels
  const double limit = step_limit<double>(), float_limit = step_limit<float>();

  const auto first = run("double, warps of 32 x 1 pixels", all_steps<double>, wide, limit);
  print_busy_lanes(first, width, wide, false);
  bool correct = course::verify("steps", first.data(), first.size(), [&](std::size_t i) {
    if (i % 101 != 0) // the host computes every 101st pixel
      return first[i];
    return count_steps(point<double>(i % width, i / width, width), max_steps);
  });
  const auto verify = [&](const char *what, const std::vector<int> &steps) {
    const auto expected = [&](std::size_t i) { return first[i]; };
    correct &= course::verify(what, steps.data(), steps.size(), expected);
  };

  auto steps = run("double, warps of 8 x 4 pixels", all_steps<double>, square, limit);
  print_busy_lanes(steps, width, square, false);
  verify("warps of 8 x 4 pixels", steps);

  steps = run("double, lanes far from each other", far_lanes, wide, limit);
  print_busy_lanes(steps, width, wide, true);
  verify("lanes far from each other", steps);

  verify("|z| every 16 steps",
         run("double, |z| every 16 steps", sixteen_steps<double>, square, limit));

  steps = run("float", all_steps<float>, square, float_limit);
  correct &= nearly_equal(steps, first);
  steps = run("float, |z| every 16 steps", sixteen_steps<float>, square, float_limit);
  correct &= nearly_equal(steps, first);
  return course::verdict(correct);
}
