// Lesson 13: the roofline of this device, measured with one kernel of different intensities.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/13-profiling/roofline.cu -o roofline
// Run:   ./roofline
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
#include <vector>

constexpr int EACH = 4; // elements per thread: independent multiply-adds
constexpr int BLOCK = 256;

// x = a x + b, `count` times: 2 count operations for 8 bytes.
__global__ void multiply_add(float *values, int n, int count, float a, float b) {
  const int first = blockIdx.x * BLOCK * EACH + threadIdx.x;
  float x[EACH];
  for (int k = 0; k < EACH; ++k)
    x[k] = first + k * BLOCK < n ? values[first + k * BLOCK] : 0;
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < EACH; ++k)
      x[k] = fmaf(a, x[k], b);
  for (int k = 0; k < EACH; ++k)
    if (first + k * BLOCK < n)
      values[first + k * BLOCK] = x[k];
}

// Peak rate in float, in operations per second. Each core executes one multiply-add (two
// operations) per clock cycle. 0 if the device does not report its clock.
double peak_rate() {
  const int major = course::attribute(cudaDevAttrComputeCapabilityMajor);
  const int minor = course::attribute(cudaDevAttrComputeCapabilityMinor);
  const int cores = major < 8 || (major == 8 && minor == 0) ? 64 : 128; // per multiprocessor
  return 2e3 * course::attribute(cudaDevAttrClockRate) * cores * course::multiprocessors();
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 0, "");
  course::print_device();
  const int n = course::problem_size(100'000'003, 100'003);
  const float a = 0.75f, b = 0.5f;
  std::printf("%d floats\n\n", n);
  std::vector<float> numbers(n);
  for (int i = 0; i < n; ++i)
    numbers[i] = i % 101;

  bool correct = true;
  double bandwidth = 0, rate = 0; // the best measured ones, in GB/s and GFLOP/s
  for (const int count : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
    const course::Buffer<float> values(numbers);
    const auto launch = [&] {
      multiply_add<<<(n + EACH * BLOCK - 1) / (EACH * BLOCK), BLOCK>>>(values.data(), n, count, a,
                                                                       b);
      CUDA_CHECK(cudaGetLastError());
    };
    launch();
    std::vector<float> expected(101);
    for (int start = 0; start < 101; ++start) {
      expected[start] = start;
      for (int i = 0; i < count; ++i)
        expected[start] = std::fma(a, expected[start], b);
    }
    correct &= course::verify("value", values.to_host().data(), n,
                              [&](std::size_t i) { return expected[i % 101]; });

    const double seconds = course::gpu_seconds(course::problem_size(9, 3), launch);
    const double bytes = 8e-9 * n / seconds, operations = 2e-9 * count * n / seconds;
    std::printf("   %3d multiply-adds %8.2f FLOP/byte %10.4g GB/s %10.4g GFLOP/s\n", count,
                count / 4.0, bytes, operations);
    bandwidth = std::max(bandwidth, bytes);
    rate = std::max(rate, operations);
  }

  const double peak_bandwidth = 1e-9 * course::peak_bandwidth(), peak = 1e-9 * peak_rate();
  std::puts("");
  course::figure("best bandwidth", bandwidth, "GB/s",
                 {.limit = peak_bandwidth, .limit_is = "the peak of the memory"});
  course::figure("best rate", rate, "GFLOP/s",
                 {.limit = peak, .limit_is = "the peak of the arithmetic"});
  const bool reported = peak_bandwidth > 0 && peak > 0; // else the measured values are the roofs
  course::figure("ridge", reported ? peak / peak_bandwidth : rate / bandwidth, "FLOP/byte");
  return course::verdict(correct);
}
