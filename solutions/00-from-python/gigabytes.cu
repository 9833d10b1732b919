// Exercise 00-from-python/gigabytes: a product that is too large for an int.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/00-from-python/gigabytes.cu -o gigabytes
// Run:   ./gigabytes

#include "common/verify.hpp"
#include "exercises/00-from-python/gigabytes.hpp"

#include <cstdio>

double gigabytes(int rows, int cols) {
  // TODO 1: the size of rows x cols floats in bytes
  const size_t bytes = size_t(rows) * cols * sizeof(float);
  // TODO end

  // TODO 2: divide by 10^9 and keep the decimals
  return bytes / 1e9;
  // TODO end
}

int main() {
  const int rows[] = {1, 20000, 50000, 1000000}, cols[] = {1, 20000, 50000, 1000000};
  const double expected[] = {4e-9, 1.6, 10, 4000};
  double got[4];
  for (int i = 0; i < 4; ++i) {
    got[i] = gigabytes(rows[i], cols[i]);
    std::printf("%7d x %7d floats: %g GB\n", rows[i], cols[i], got[i]);
  }
  return course::verdict(course::verify(
      "GB", got, 4, [&](size_t i) { return expected[i]; }, 1e-12));
}
