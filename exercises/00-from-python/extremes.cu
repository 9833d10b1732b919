// Exercise 00-from-python/extremes: a function with two results, by reference and by pointer.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/00-from-python/extremes.cu -o extremes
// Run:   ./extremes

#include "common/verify.hpp"
#include "exercises/00-from-python/extremes.hpp"

#include <algorithm>
#include <cstdio>

// Widens the range from `low` to `high` so that it includes `value`.
// TODO 1: change the caller's own low and high, not copies of them
void widen(float value, float low, float high) {}
// TODO end

void extremes(const float *values, int n, float *smallest, float *largest) {
  // TODO 2: begin with the first value, then widen the range by every other value
  // TODO end
}

int main() {
  const float values[] = {-3, -8, -1, -5};
  float smallest = 0, largest = 0;
  extremes(values, 4, &smallest, &largest);
  std::printf("-3 -8 -1 -5: from %g to %g\n", smallest, largest);
  const bool correct = course::verify_value("smallest", smallest, -8);
  return course::verdict(course::verify_value("largest", largest, -1) && correct);
}
