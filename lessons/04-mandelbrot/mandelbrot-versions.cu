// Lesson 04, versions: divergence, fewer tests of |z|, and float.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/04-mandelbrot/mandelbrot-versions.cu -o mandelbrot-versions
// Run:   ./mandelbrot-versions [width max_steps]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

__host__ __device__ double2 point(int col, int row, int width) {
  return {fma(col + 0.5, 2.5 / width, -2.0), fma(row + 0.5, 2.5 / width, -1.25)};
}

__device__ float2 point_in_float(int col, int row, int width) {
  return {fmaf(col + 0.5f, 2.5f / width, -2.0f), fmaf(row + 0.5f, 2.5f / width, -1.25f)};
}

// z^2 + c: three multiply-adds and one multiplication.
__host__ __device__ double2 next(double2 z, double2 c) {
  return {fma(z.x, z.x, fma(-z.y, z.y, c.x)), fma(2 * z.x, z.y, c.y)};
}
__device__ float2 next(float2 z, float2 c) {
  return {fmaf(z.x, z.x, fmaf(-z.y, z.y, c.x)), fmaf(2 * z.x, z.y, c.y)};
}

// |z| <= 2: one multiplication, one multiply-add and one comparison.
__host__ __device__ bool inside(double2 z) { return fma(z.x, z.x, z.y * z.y) <= 4; }
__device__ bool inside(float2 z) { return fmaf(z.x, z.x, z.y * z.y) <= 4; }

// Version 2: the kernel of mandelbrot.cu. The shape of the block is the shape of its warps.
__global__ void all_steps(int *steps, int width, int max_steps) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= width)
    return;
  const double2 c = point(col, row, width);
  double2 z = {0, 0};
  int step = 0;
  for (; step < max_steps && inside(z); ++step)
    z = next(z, c);
  steps[row * width + col] = step;
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
  const double2 c = point(col, row, width);
  double2 z = {0, 0};
  int step = 0;
  for (; step < max_steps && inside(z); ++step)
    z = next(z, c);
  steps[row * width + col] = step;
}

// Version 4: tests |z| once in 16 steps. If z has escaped, these 16 steps are repeated one by one
// from the saved z, so the count is the same. A z with |z| > 2 never returns: |z| grows to infinity
// or NaN, and neither is inside.
__global__ void sixteen_steps(int *steps, int width, int max_steps) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= width)
    return;
  const double2 c = point(col, row, width);
  double2 z = {0, 0};
  int step = 0;
  for (; step + 16 <= max_steps; step += 16) {
    const double2 saved = z;
#pragma unroll
    for (int i = 0; i < 16; ++i)
      z = next(z, c);
    if (!inside(z)) {
      z = saved;
      break;
    }
  }
  for (; step < max_steps && inside(z); ++step)
    z = next(z, c);
  steps[row * width + col] = step;
}

// Version 5: version 2 in float.
__global__ void all_steps_in_float(int *steps, int width, int max_steps) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= width)
    return;
  const float2 c = point_in_float(col, row, width);
  float2 z = {0, 0};
  int step = 0;
  for (; step < max_steps && inside(z); ++step)
    z = next(z, c);
  steps[row * width + col] = step;
}

// Version 6: version 4 in float.
__global__ void sixteen_steps_in_float(int *steps, int width, int max_steps) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= width)
    return;
  const float2 c = point_in_float(col, row, width);
  float2 z = {0, 0};
  int step = 0;
  for (; step + 16 <= max_steps; step += 16) {
    const float2 saved = z;
#pragma unroll
    for (int i = 0; i < 16; ++i)
      z = next(z, c);
    if (!inside(z)) {
      z = saved;
      break;
    }
  }
  for (; step < max_steps && inside(z); ++step)
    z = next(z, c);
  steps[row * width + col] = step;
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

// Mandelbrot steps per second, if the device executed nothing but the four instructions of `next`.
template <class T> double steps_per_second() {
  const int n = course::problem_size(1 << 24, 1 << 12), k = course::problem_size(512, 32);
  T *d_out;
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(T)));
  const double seconds = course::gpu_seconds(5, [&] {
    multiply_adds<<<(n + 255) / 256, 256>>>(d_out, n, k);
    CUDA_CHECK(cudaGetLastError());
  });
  CUDA_CHECK(cudaFree(d_out));
  return 8.0 * n * k / 4 / seconds;
}

double sum(const std::vector<int> &steps) {
  double total = 0;
  for (int step : steps)
    total += step;
  return total;
}

// The busy lanes of version 2 or 3, computed from the counts: a warp runs as long as its longest
// lane.
double busy_lanes(const std::vector<int> &steps, int width, dim3 block, bool far) {
  const int warp_width = block.x, warp_height = 32 / warp_width;
  double executed = 0;
  for (int row0 = 0; row0 < width; row0 += warp_height)
    for (int first = 0; first < (width + 31) / 32 * 32; first += warp_width) {
      int longest = 0;
      for (int lane = 0; lane < 32; ++lane) {
        const int thread = first + lane % warp_width, row = row0 + lane / warp_width;
        const int col = far ? far_column(thread, width) : thread;
        if (col < width && row < width)
          longest = std::max(longest, steps[row * width + col]);
      }
      executed += 32.0 * longest;
    }
  return sum(steps) / executed;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[width max_steps]");
  course::print_device();
  const int width =
      course::count_argument(argc, argv, 1, "width", course::problem_size(8192, 500), 16384);
  const int max_steps =
      course::count_argument(argc, argv, 2, "max_steps", course::problem_size(1000, 200));
  const int n = width * width;
  std::vector<int> first(n), steps(n);
  int *d_steps;
  CUDA_CHECK(cudaMalloc(&d_steps, n * sizeof(int)));
  const double in_double = 1e-9 * steps_per_second<double>();
  const double in_float = 1e-9 * steps_per_second<float>();
  std::printf("\n%d x %d pixels, at most %d steps\n", width, width, max_steps);
  bool correct = true;
  const auto run = [&](const char *what, auto kernel, dim3 block, double limit, const char *unit) {
    const dim3 grid((width + 31) / 32 * 32 / block.x, (width + block.y - 1) / block.y);
    CUDA_CHECK(cudaMemset(d_steps, 0xFF, n * sizeof(int))); // -1
    const double seconds = course::gpu_seconds(5, [&] {
      kernel<<<grid, block>>>(d_steps, width, max_steps);
      CUDA_CHECK(cudaGetLastError());
    });
    CUDA_CHECK(cudaMemcpy(steps.data(), d_steps, n * sizeof(int), cudaMemcpyDeviceToHost));
    course::figure(what, 1e-9 * sum(steps) / seconds, "Gstep/s",
                   {.limit = limit, .limit_is = unit, .seconds = seconds});
  };
  const auto verify = [&](const char *what) { // compares with version 2
    correct =
        course::verify(what, steps.data(), n, [&](std::size_t i) { return first[i]; }) && correct;
  };
  const auto verify_float = [&] { // rounding may change the count of a few pixels
    int differ = 0;
    for (int i = 0; i < n; ++i)
      differ += steps[i] != first[i];
    std::printf("     %.2f %% of the pixels have other counts than in double\n",
                100.0 * differ / n);
    correct = 20.0 * differ < n && correct;
  };
  const auto print_busy = [&](dim3 block, bool far) {
    std::printf("     %.1f %% of the lanes are busy\n", 100 * busy_lanes(steps, width, block, far));
  };
  const char *adds = "multiply-adds";

  run("double, warps of 32 x 1 pixels", all_steps, dim3(32, 4), in_double, adds);
  print_busy(dim3(32, 4), false);
  first = steps; // compared with the host: every 101st pixel
  correct = course::verify("steps", steps.data(), n, [&](std::size_t i) {
    const double2 c = point(i % width, i / width, width);
    double2 z = {0, 0};
    int step = 0;
    for (; i % 101 == 0 && step < max_steps && inside(z); ++step)
      z = next(z, c);
    return i % 101 == 0 ? step : steps[i];
  });
  run("double, warps of 8 x 4 pixels", all_steps, dim3(8, 16), in_double, adds);
  print_busy(dim3(8, 16), false);
  verify("warps of 8 x 4 pixels");
  run("double, lanes far from each other", far_lanes, dim3(32, 4), in_double, adds);
  print_busy(dim3(32, 4), true);
  verify("lanes far from each other");
  run("double, |z| every 16 steps", sixteen_steps, dim3(8, 16), in_double, adds);
  verify("|z| every 16 steps");
  run("float", all_steps_in_float, dim3(8, 16), in_float, adds);
  verify_float();
  run("float, |z| every 16 steps", sixteen_steps_in_float, dim3(8, 16), in_float, adds);
  verify_float();
  CUDA_CHECK(cudaFree(d_steps));
  return course::verdict(correct);
}
