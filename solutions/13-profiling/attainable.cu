// Exercise 13-profiling/attainable: the highest rate that the roofline allows a kernel.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/13-profiling/attainable.cu -o attainable
// Run:   ./attainable
//
// No kernel runs here. The roofline needs only four numbers.

#include "common/verify.hpp"
#include "exercises/13-profiling/attainable.hpp"

#include <algorithm>
#include <cstdio>

double attainable(double flops, double bytes, double peak_flops, double peak_bandwidth) {
  double rate = 0;

  // TODO 1: compute the arithmetic intensity, then the lower one of the two limits
  const double intensity = flops / bytes;
  rate = std::min(peak_flops, intensity * peak_bandwidth);
  // TODO end

  return rate;
}

int main() {
  struct Kernel {
    const char *what;
    double flops, bytes, expected; // expected: in TFLOP/s
  };
  // A device with 50 TFLOP/s and 4 TB/s.
  const Kernel kernels[] = {{"adds two arrays of 1e8 floats", 1e8, 12e8, 1.0 / 3},
                            {"multiplies matrices of 8192 x 8192 floats", 1.1e12, 8.05e8, 50},
                            {"12.5 operations per byte", 12.5e6, 1e6, 50},
                            {"a copy", 0, 1e9, 0}};
  bool correct = true;
  for (const auto &[what, flops, bytes, expected] : kernels) {
    const double rate = 1e-12 * attainable(flops, bytes, 50e12, 4e12);
    std::printf("%-43s %8.4g TFLOP/s at most\n", what, rate);
    correct = course::verify_value(what, rate, expected, 1e-12) && correct;
  }
  return course::verdict(correct);
}
