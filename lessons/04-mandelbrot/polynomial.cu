// Lesson 04: how many operations per value make the transfer to the device worth it?
//
// Build: nvcc -O3 -std=c++17 -I. lessons/04-mandelbrot/polynomial.cu -o polynomial
// Run:   ./polynomial
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <thread>
#include <vector>

// y = 1 + x + x^2 + ... + x^degree, one thread per point.
// [horner]
__global__ void horner(const float *x, float *y, int n, int degree) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float point = x[i]; // 4 bytes from memory
  float sum = 1;
#pragma unroll 16 // the loop itself costs less
  for (int k = 0; k < degree; ++k)
    sum = sum * point + 1; // 2 operations, in registers
  y[i] = sum;              // 4 bytes to memory
}
// [end]

// The same on all CPU cores. The compiler uses vector instructions for groups of 64 points.
void horner_on_cpu(const float *x, float *y, int n, int degree) {
  const long cores = std::max(1u, std::thread::hardware_concurrency()), groups = n / 64;
  std::vector<std::thread> threads;
  for (long core = 0; core < cores; ++core)
    threads.emplace_back([=] {
      for (long i = groups * core / cores * 64; i < groups * (core + 1) / cores * 64; i += 64) {
        float sum[64];
        std::fill_n(sum, 64, 1.0f);
        for (int k = 0; k < degree; ++k)
          for (int j = 0; j < 64; ++j)
            sum[j] = sum[j] * x[i + j] + 1;
        std::copy_n(sum, 64, y + i);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

// At these points the rounded sums equal the formula below.
constexpr double POINTS[] = {-1, 0, 0.5, 1};

int point_of(std::size_t i) { return i % 1021 % 4; }

// Compares with the formula of a geometric series.
bool verify(const char *what, const std::vector<float> &y, int degree) {
  float sums[4];
  for (int k = 0; k < 4; ++k) {
    const double x = POINTS[k];
    sums[k] = x == 1 ? degree + 1 : (1 - std::pow(x, degree + 1)) / (1 - x);
  }
  return course::verify(what, y.data(), y.size(), [&](std::size_t i) { return sums[point_of(i)]; });
}

int main() {
  course::print_device();
  const int n = 64 * course::problem_size(1'048'577, 257);
  const std::size_t bytes = n * sizeof(float);
  std::vector<float> x(n), y_cpu(n), y(n);
  for (int i = 0; i < n; ++i)
    x[i] = POINTS[point_of(i)];
  float *d_x, *d_y;
  CUDA_CHECK(cudaMalloc(&d_x, bytes));
  CUDA_CHECK(cudaMalloc(&d_y, bytes));

  std::printf("%d points, 8 bytes each\n\n", n);
  std::puts("  degree  FLOP/byte  all cores   GPU with copies  kernel alone");
  bool correct = true;
  for (int degree : {4, 16, 64, 128, 1024, 4096}) {
    const auto launch = [&] {
      horner<<<(n + 255) / 256, 256>>>(d_x, d_y, n, degree);
      CUDA_CHECK(cudaGetLastError());
    };
    const double cpu =
        course::host_seconds(3, [&] { horner_on_cpu(x.data(), y_cpu.data(), n, degree); });
    CUDA_CHECK(cudaMemset(d_y, 0xFF, bytes)); // NaN
    const double gpu = course::host_seconds(3, [&] {
      CUDA_CHECK(cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice));
      launch();
      CUDA_CHECK(cudaMemcpy(y.data(), d_y, bytes, cudaMemcpyDeviceToHost));
    });
    const double kernel = course::gpu_seconds(5, launch);

    std::printf("  %6d %10.2f %8.2f ms %14.2f ms %9.3f ms %8.0f GFLOP/s %6.0f GB/s\n", degree,
                degree / 4.0, 1e3 * cpu, 1e3 * gpu, 1e3 * kernel, 2e-9 * degree * n / kernel,
                2e-9 * bytes / kernel);
    correct &= verify("y of the CPU", y_cpu, degree);
    correct &= verify("y", y, degree);
  }
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  return course::verdict(correct);
}
