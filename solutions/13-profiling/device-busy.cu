// Exercise 13-profiling/device-busy: how long does the device work in this timeline?
//
// Build: nvcc -O3 -std=c++17 -I. exercises/13-profiling/device-busy.cu -o device-busy
// Run:   ./device-busy
//
// No kernel runs here: a timeline is a list of begins and ends.

#include "common/verify.hpp"
#include "exercises/13-profiling/device-busy.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>

double device_busy(int n, const double *begin, const double *end) {
  double busy = 0;
  double until = begin[0]; // all that was looked at so far has ended by then
  for (int i = 0; i < n; ++i) {
    // TODO 1: add the part of this one in which none of the earlier ones runs
    busy += std::max(0.0, end[i] - std::max(begin[i], until));
    // TODO end

    // TODO 2: when have all of them ended?
    until = std::max(until, end[i]);
    // TODO end
  }
  return busy;
}

int main() {
  //                        copy  kernel  kernel in another stream, and one within it
  const double begin[] = {0.000, 0.004, 0.005, 0.006, 0.020};
  const double end[] = {0.003, 0.007, 0.010, 0.008, 0.021};
  const double busy = device_busy(std::size(begin), begin, end);
  std::printf("busy: %.1f of %.1f ms\n", 1e3 * busy, 1e3 * end[4]);
  return course::verdict(course::verify_value("busy", busy, 0.010, 1e-12));
}
