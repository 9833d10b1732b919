// Exercise 04-mandelbrot/crossing: how much work makes the transfer worth it?
//
// Build: nvcc -O3 -std=c++17 -I. exercises/04-mandelbrot/crossing.cu -o crossing
// Run:   ./crossing
//
// No kernel runs here: the result follows from four numbers.

#include "common/verify.hpp"
#include "exercises/04-mandelbrot/crossing.hpp"

#include <cmath>
#include <cstdio>

long crossing(double value_bytes, double link, double host_rate, double device_rate) {
  const double trip = value_bytes / link; // seconds per value

  // TODO 1: how many seconds does one operation save?
  const double saved = 0;
  // TODO end

  // TODO 2: what is the smallest number of operations that saves more than the transfer takes?
  const long operations = -1;
  // TODO end

  (void)trip, (void)saved;
  return operations;
}

int main() {
  struct Machine {
    const char *name;
    double value_bytes, link, host_rate, device_rate;
    long expected; // computed by hand
  };
  const Machine machines[] = {
      {"floats there and back, 15 GB/s; 1 and 1000 Gop/s", 8, 15e9, 1e9, 1000e9, 1},
      {"the same link; 64 and 1000 Gop/s", 8, 15e9, 64e9, 1000e9, 37},
      {"55 GB/s, pinned; 1000 and 60000 Gop/s", 8, 55e9, 1000e9, 60e12, 148},
      {"a host as fast as its device", 8, 55e9, 500e9, 500e9, 0}};
  bool correct = true;
  for (const Machine &m : machines) {
    const long k = crossing(m.value_bytes, m.link, m.host_rate, m.device_rate);
    if (k < 0) {
      std::puts("no result yet: fill in TODO 1 and TODO 2");
      return 1;
    }
    std::printf("%-52s %4ld operations per value\n", m.name, k);
    correct &= course::verify_value(m.name, k, m.expected);
  }
  return course::verdict(correct);
}
