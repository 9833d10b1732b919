// Exercise 13-profiling/device-busy: the time in which the GPU is busy, from a timeline.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/13-profiling/device-busy.cu -o device-busy
// Run:   ./device-busy
//
// No kernel runs here. A timeline consists of two arrays: when each kernel or copy begins and ends.

#include "common/verify.hpp"
#include "exercises/13-profiling/device-busy.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>

double device_busy(int n, const double *begin, const double *end) {
  double busy = 0;
  double until = begin[0]; // all kernels and copies before i have ended by then
  for (int i = 0; i < n; ++i) {
    // TODO 1: add the part of kernel i in which no earlier one runs
    // TODO end

    // TODO 2: when have all kernels up to i ended?
    // TODO end
  }
  return busy;
}

int main() {
  //                        copy  kernel  kernel in another stream, and one inside it
  const double begin[] = {0.000, 0.004, 0.005, 0.006, 0.020};
  const double end[] = {0.003, 0.007, 0.010, 0.008, 0.021};
  const double busy = device_busy(std::size(begin), begin, end);
  std::printf("busy: %.1f of %.1f ms\n", 1e3 * busy, 1e3 * end[4]);
  return course::verdict(course::verify_value("busy", busy, 0.010, 1e-12));
}
