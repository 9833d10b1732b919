// Exercise 00-from-python/count-above: a template that takes a lambda.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/00-from-python/count-above.cu -o count-above
// Run:   ./count-above

#include "common/verify.hpp"
#include "exercises/00-from-python/count-above.hpp"

#include <cstdio>

// Counts the values that satisfy `condition`, a function of one value that returns a bool.
// TODO 1: make this function a template, so that `condition` can have any type
int count_where(const float *values, int n, bool condition) {
  // TODO end
  int count = 0;
  for (int i = 0; i < n; ++i) {
    // TODO 2: count this value if `condition` holds for it
    // TODO end
  }
  return count;
}

int count_above(const float *values, int n, float limit) {
  // TODO 3: call count_where with a lambda that captures `limit`
  return 0;
  // TODO end
}

int main() {
  const float values[] = {3, -8, 2.5f, 5, 2};
  const int count = count_above(values, 5, 2);
  std::printf("3 -8 2.5 5 2: %d are above 2\n", count);
  return course::verdict(course::verify_value("count", count, 3));
}
