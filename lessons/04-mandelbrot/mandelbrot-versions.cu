// Lesson 04, measured: when the trip to the device pays, and how fast the Mandelbrot set can get.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/04-mandelbrot/mandelbrot-versions.cu -o mandelbrot-versions
// Run:   ./mandelbrot-versions [width max_steps]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/04-mandelbrot/plane.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <thread>
#include <vector>

// ---- k multiply-adds for each element of a list ----

// In `chains` of them, which need not wait for each other; the last step adds these up.
template <int chains, class T> __global__ void multiply_add(const T *in, T *out, int n, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T x[chains];
  for (int chain = 0; chain < chains; ++chain)
    x[chain] = in[i] + chain;
#pragma unroll 16 // else counting the steps costs more than the steps
  for (int step = 0; step < k; ++step)
    for (T &value : x)
      value = value * T(0.75) + T(0.5);
  for (int chain = 1; chain < chains; ++chain)
    x[0] += x[chain];
  out[i] = x[0];
}

template <int chains, class T> void launch_multiply_add(const T *in, T *out, int n, int k) {
  multiply_add<chains><<<(n + 255) / 256, 256>>>(in, out, n, k);
  CUDA_CHECK(cudaGetLastError());
}

// The same on all cores, in groups of numbers for which the compiler has vector instructions.
// n is a multiple of `group`.
constexpr int group = 64;
void multiply_add_on_cpu(const float *in, float *out, int n, int k) {
  const long cores = std::max(1u, std::thread::hardware_concurrency()), groups = n / group;
  std::vector<std::thread> threads;
  for (long core = 0; core < cores; ++core)
    threads.emplace_back([=] {
      for (long g = groups * core / cores; g < groups * (core + 1) / cores; ++g) {
        float x[group];
        std::copy_n(in + g * group, group, x);
        for (int step = 0; step < k; ++step)
          for (float &value : x)
            value = value * 0.75f + 0.5f;
        std::copy_n(x, group, out + g * group);
      }
    });
  for (auto &thread : threads)
    thread.join();
}

// The list goes to the device, k multiply-adds are done for each element, and it comes back: a row
// of the table for each k. Whether the device's numbers are the host's.
bool sweep() {
  const int n = course::size(1 << 26, 1 << 18);
  const std::size_t bytes = n * sizeof(float);
  std::vector<float> in(n), by_cpu(n), by_gpu(n);
  for (int i = 0; i < n; ++i)
    in[i] = i % 1000;
  float *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, bytes));
  CUDA_CHECK(cudaMalloc(&d_out, bytes));
  std::printf("\n%d floats, k multiply-adds each; times in milliseconds\n"
              "      k  flop/byte  all cores  GPU, host to host     kernel     GB/s   Gflop/s\n",
              n);
  bool correct = true;
  for (int k = 1; k <= course::size(4096, 64); k *= 2) {
    const double cpu =
        course::host_seconds(3, [&] { multiply_add_on_cpu(in.data(), by_cpu.data(), n, k); });
    const double trip = course::host_seconds(3, [&] {
      CUDA_CHECK(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice));
      launch_multiply_add<1>(d_in, d_out, n, k);
      CUDA_CHECK(cudaMemcpy(by_gpu.data(), d_out, bytes, cudaMemcpyDeviceToHost));
    });
    const double kernel =
        course::gpu_seconds(5, [&] { launch_multiply_add<1>(d_in, d_out, n, k); });
    std::printf("   %4d  %9.2f  %9.2f  %17.2f  %9.3f  %7.0f  %8.0f%s\n", k, k / 4.0, 1e3 * cpu,
                1e3 * trip, 1e3 * kernel, 2e-9 * bytes / kernel, 2e-9 * k * n / kernel,
                trip < cpu ? "  the trip pays" : "");
    correct &= course::verify(
        "list", by_gpu.data(), n, [&](std::size_t i) { return by_cpu[i]; }, 1e-5);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  return correct;
}

// The measured rate at which the device does steps of z: as many as it does multiply-adds, divided
// by the four operations of `next`. A step that also looks at |z| has seven.
template <class T> double steps_per_second() {
  constexpr int chains = 8;
  const int n = course::size(1 << 24, 1 << 14), k = course::size(512, 32);
  T *d_list;
  CUDA_CHECK(cudaMalloc(&d_list, n * sizeof(T)));
  CUDA_CHECK(cudaMemset(d_list, 0, n * sizeof(T)));
  const double seconds =
      course::gpu_seconds(5, [&] { launch_multiply_add<chains>(d_list, d_list, n, k); });
  CUDA_CHECK(cudaFree(d_list));
  return double(chains) * n * k / 4 / seconds;
}

// ---- the Mandelbrot set, T is float or double ----

// As on the page: |z| is looked at before each step.
template <class T>
__device__ int steps_one_by_one(Complex<T> z, Complex<T> c, int step, int max_steps) {
  while (step < max_steps && in_disc(z)) {
    z = next(z, c);
    ++step;
  }
  return step;
}

// |z| is looked at once in `at_once` steps. Where it is above 2 by then, these steps are done again
// one by one, from the z before them: the same z, so the same count. A z beyond 2 does not come
// back: |z| grows, at last to infinity or NaN, and neither is in the disc.
template <class T, int at_once> __device__ int steps_at_once(Complex<T> c, int max_steps) {
  Complex<T> z{0, 0};
  int step = 0;
  for (; step + at_once <= max_steps; step += at_once) {
    Complex<T> ahead = z;
#pragma unroll
    for (int i = 0; i < at_once; ++i)
      ahead = next(ahead, c);
    if (!in_disc(ahead))
      break;
    z = ahead;
  }
  return steps_one_by_one(z, c, step, max_steps);
}

// Which column a thread has. Dealt out, the lanes of a warp are far from each other: lane k is in
// strip k of the 32 strips of the image.
__host__ __device__ int column(int thread, int width, bool dealt_out) {
  return dealt_out ? thread % 32 * ((width + 31) / 32) + thread / 32 : thread;
}

template <class T, int at_once, bool dealt_out = false>
__global__ void mandelbrot(int *steps, int width, int max_steps) {
  const int col = column(blockIdx.x * blockDim.x + threadIdx.x, width, dealt_out);
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= width)
    return;
  const auto c = point<T>(col, row, width);
  steps[row * width + col] = at_once == 1 ? steps_one_by_one(Complex<T>{0, 0}, c, 0, max_steps)
                                          : steps_at_once<T, at_once>(c, max_steps);
}

struct Version {
  const char *what;
  void (*kernel)(int *steps, int width, int max_steps);
  dim3 block;
  bool dealt_out;
  bool in_double; // else in float, which may count other steps near the edge of the set
};

const Version versions[] = {
    {"double, warps of 32 x 1 pixels", mandelbrot<double, 1>, dim3(32, 4), false, true},
    {"double, warps of 16 x 2", mandelbrot<double, 1>, dim3(16, 8), false, true},
    {"double, warps of 8 x 4", mandelbrot<double, 1>, dim3(8, 16), false, true},
    {"double, lanes far from each other", mandelbrot<double, 1, true>, dim3(32, 4), true, true},
    {"double, |z| every 4 steps", mandelbrot<double, 4>, dim3(8, 16), false, true},
    {"double, |z| every 8 steps", mandelbrot<double, 8>, dim3(8, 16), false, true},
    {"double, |z| every 16 steps", mandelbrot<double, 16>, dim3(8, 16), false, true},
    {"float", mandelbrot<float, 1>, dim3(8, 16), false, false},
    {"float, |z| every 8 steps", mandelbrot<float, 8>, dim3(8, 16), false, false},
    {"float, |z| every 16 steps", mandelbrot<float, 16>, dim3(8, 16), false, false},
};

double sum(const std::vector<int> &steps) {
  double total = 0;
  for (int step : steps)
    total += step;
  return total;
}

// Divergence: a warp goes on until its last lane has ended. The share of its lanes that still have
// steps to do, from the counts alone.
double busy_share(const std::vector<int> &steps, int width, const Version &version) {
  const int warp_width = version.block.x, warp_height = 32 / warp_width;
  const int thread_columns = (width + 31) / 32 * 32;
  double spent = 0;
  for (int row0 = 0; row0 < width; row0 += warp_height)
    for (int first = 0; first < thread_columns; first += warp_width) {
      int most = 0;
      for (int lane = 0; lane < 32; ++lane) {
        const int col = column(first + lane % warp_width, width, version.dealt_out);
        const int row = row0 + lane / warp_width;
        if (col < width && row < width)
          most = std::max(most, steps[std::size_t(row) * width + col]);
      }
      spent += 32.0 * most;
    }
  return sum(steps) / spent;
}

// Runs each version, and compares its counts with those of the first one, which is checked as on
// the page.
bool ladder(int width, int max_steps) {
  const std::size_t pixels = std::size_t(width) * width;
  std::vector<int> first, steps(pixels);
  int *d_steps;
  CUDA_CHECK(cudaMalloc(&d_steps, pixels * sizeof(int)));
  std::printf("\n%d x %d pixels, at most %d steps\n", width, width, max_steps);
  const double limits[] = {1e-9 * steps_per_second<float>(), 1e-9 * steps_per_second<double>()};
  bool correct = true;
  for (const Version &version : versions) {
    const dim3 &block = version.block;
    const dim3 grid((width + 31) / 32 * 32 / block.x, (width + block.y - 1) / block.y);
    const double seconds = course::gpu_seconds(5, [&] {
      version.kernel<<<grid, block>>>(d_steps, width, max_steps);
      CUDA_CHECK(cudaGetLastError());
    });
    CUDA_CHECK(cudaMemcpy(steps.data(), d_steps, pixels * sizeof(int), cudaMemcpyDeviceToHost));
    course::figure(version.what, 1e-9 * sum(steps) / seconds, "Gstep/s", limits[version.in_double],
                   "the multiply-adds", seconds);
    std::printf("     %.1f %% of the lanes are busy\n", 100 * busy_share(steps, width, version));
    if (first.empty()) {
      first = steps;
      correct &= verify_steps(steps, width, max_steps);
    } else if (version.in_double) {
      correct &= course::verify(version.what, steps.data(), pixels,
                                [&](std::size_t i) { return first[i]; });
    } else {
      std::size_t differ = 0;
      for (std::size_t i = 0; i < pixels; ++i)
        differ += steps[i] != first[i];
      std::printf("     %.2f %% of the pixels have other steps than in double\n",
                  100.0 * differ / pixels);
      correct &= 20 * differ < pixels;
    }
  }
  CUDA_CHECK(cudaFree(d_steps));
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[width max_steps]");
  course::print_device();
  const int width = course::count_argument(argc, argv, 1, "width", course::size(8192, 500), 16384);
  const int max_steps = course::count_argument(argc, argv, 2, "max_steps", course::size(1000, 200));
  bool correct = sweep();
  correct = ladder(width, max_steps) && correct;
  std::puts("");
  return course::verdict(correct);
}
