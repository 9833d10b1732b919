// Exercise 03-add-list/impossible-speed: a bug hunt. Faster than the hardware allows.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/03-add-list/impossible-speed.cu -o impossible-speed
// Run:   ./impossible-speed
//
// Reports a speed above the peak bandwidth of the memory, so the measurement must be wrong. There
// is more than one bug.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "exercises/03-add-list/impossible-speed.hpp"

#include <cstdio>
#include <vector>

__global__ void accumulate(int n, int times, const float *x, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < times; ++k)
      y[i] = y[i] + x[i];
}

Measurement impossible_speed(int n, int times, const float *x, float *y, int block) {
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr;
  CUDA_CHECK(cudaMalloc(&d_x, bytes));
  CUDA_CHECK(cudaMalloc(&d_y, bytes));
  CUDA_CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));

  // The first launch also loads the kernel, so one that adds nothing comes before the timed one.
  accumulate<<<1, 1>>>(n, 0, d_x, d_y);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());

  const int grid = (n + block - 1) / block;
  Measurement measurement;
  // TODO 1: find the bugs: does the launch succeed? What has ended when the clock is read?
  const course::Timer timer;
  accumulate<<<grid, block>>>(n, times, d_x, d_y);
  measurement.error = cudaSuccess;
  measurement.seconds = timer.seconds();
  // TODO end

  // TODO 2: find the bug: how much of the result is copied?
  CUDA_CHECK(cudaMemcpy(y, d_y, n, cudaMemcpyDeviceToHost));
  // TODO end

  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  return measurement;
}

// Bytes per second that no measurement may exceed: the peak of the memory. The CPU backend does not
// know it, so twice the copy rate is used there. A copy reads and writes every byte.
double fastest_possible() {
  if (course::peak_bandwidth() > 0)
    return course::peak_bandwidth();
  const size_t bytes = 64 << 20;
  char *d_from = nullptr, *d_to = nullptr;
  CUDA_CHECK(cudaMalloc(&d_from, bytes));
  CUDA_CHECK(cudaMalloc(&d_to, bytes));
  CUDA_CHECK(cudaMemset(d_from, 0, bytes));
  const double seconds = course::gpu_seconds(
      3, [&] { CUDA_CHECK(cudaMemcpy(d_to, d_from, bytes, cudaMemcpyDeviceToDevice)); });
  CUDA_CHECK(cudaFree(d_from));
  CUDA_CHECK(cudaFree(d_to));
  return 2 * (2 * bytes / seconds);
}

int main() {
  course::print_device();
  const int n = course::problem_size(1 << 26, 1 << 24); // far more bytes than a GPU's cache holds
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = i % 1000;
    y[i] = i % 77;
  }

  // Each element is two reads and one write of 4 bytes.
  const Measurement one = impossible_speed(n, 1, x.data(), y.data(), 256);
  const double rate = 12.0 * n / one.seconds, fastest = fastest_possible();
  std::printf("%.3f ms, %.1f GB/s; this memory moves at most %.1f GB/s\n", 1e3 * one.seconds,
              1e-9 * rate, 1e-9 * fastest);
  bool correct = rate < fastest;
  if (!correct)
    std::puts("  faster than the memory: impossible");
  correct = course::verify("y", y.data(), n, [](size_t i) { return i % 1000 + i % 77; }) && correct;

  const Measurement two = impossible_speed(n, 1, x.data(), y.data(), 2048);
  std::printf("a block of 2048 threads: %s\n", cudaGetErrorString(cudaError_t(two.error)));
  return course::verdict(correct && two.error != cudaSuccess);
}
