// Lesson 00: the C++ that CUDA needs, for people who write NumPy and Numba. No GPU yet.
//
// Build: g++ -O3 -std=c++17 -I. lessons/00-from-python/from-python.cpp -o from-python
// Run:   ./from-python
#include "common/verify.hpp"

#include <climits>
#include <cstdio>
#include <vector>

// [row_means]
// The mean of each row of a rows x cols matrix.
void row_means(const float *matrix, float *means, int rows, int cols) {
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int col = 0; col < cols; ++col)
      sum += matrix[row * cols + col];
    means[row] = float(sum / cols);
  }
}
// [end]

// The number of blocks of `block` elements that cover n elements.
int blocks_for(int n, int block) { return (n + block - 1) / block; }

// [copies]
void twice_copy(float x) { x = 2 * x; }       // x is a copy: the caller notices nothing
void twice_reference(float &x) { x = 2 * x; } // x is the caller's variable
void twice_pointer(float *x) { *x = 2 * *x; } // x is its address, *x is the variable
// [end]

// [struct]
struct Range {
  float low, high;
};

Range range_of(const std::vector<float> &values) {
  Range range{values[0], values[0]};
  for (const float &value : values) {
    range.low = value < range.low ? value : range.low;
    range.high = value > range.high ? value : range.high;
  }
  return range;
}
// [end]

// [apply]
// values[i] = f(values[i]) for each of the n values.
template <class Function> void apply(float *values, int n, Function f) {
  for (int i = 0; i < n; ++i)
    values[i] = f(values[i]);
}
// [end]

int main() {
  std::puts("device: none, this lesson is plain C++");

  // 1. A type has a size. Only Python's int grows.
  std::printf("\n1. types: char %zu, int %zu, long long %zu, float %zu, double %zu bytes\n",
              sizeof(char), sizeof(int), sizeof(long long), sizeof(float), sizeof(double));
  constexpr int side = 50000;
  const size_t elements = size_t(side) * side; // side * side does not fit into an int
  std::printf("   %d x %d = %zu elements, but an int ends at %d\n", side, side, elements, INT_MAX);
  bool correct = elements == 2'500'000'000;

  // 2. A float has 24 bits for its digits: about 7 decimal digits. 0.1 is a double, 0.1f a float.
  std::printf("2. digits: 1/3 is %.17g in float, %.17g in double\n", 1.0f / 3, 1.0 / 3);
  correct = correct && 16777216.0f + 1.0f == 16777216.0f; // 2^24 + 1 is no float

  // 3. An int divided by an int is an int, rounded towards zero.
  std::printf("3. division: 7 / 2 = %d, -7 / 2 = %d, 7 / 2.0 = %g\n", 7 / 2, -7 / 2, 7 / 2.0);
  std::printf("   1000 elements in blocks of 256: 1000 / 256 = %d is too few, rounded up: %d\n",
              1000 / 256, blocks_for(1000, 256));
  correct = correct && blocks_for(1000, 256) == 4 && blocks_for(1024, 256) == 4;

  // 4. Who changes whose variable?
  float x = 21, y = 21, z = 21;
  twice_copy(x);
  twice_reference(y);
  twice_pointer(&z);
  std::printf("4. arguments: the copy leaves %g, the reference %g, the pointer %g\n", x, y, z);
  correct = correct && x == 21 && y == 42 && z == 42;

  // 5. A matrix is one row after the other. data() is the address of the vector's first element.
  const int rows = 3, cols = 5;
  std::vector<float> matrix(rows * cols), means(rows);
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col)
      matrix[row * cols + col] = float(10 * row + col);
  row_means(matrix.data(), means.data(), rows, cols);
  std::printf("5. row-major: row 1, column 2 of %d x %d is element %d: %g\n", rows, cols,
              1 * cols + 2, matrix[1 * cols + 2]);
  std::printf("   means of the rows: %g %g %g\n", means[0], means[1], means[2]);
  const auto expected = [](size_t row) { return 10.0 * row + 2; };
  correct = course::verify("mean", means.data(), rows, expected) && correct;

  // 6. A struct holds several values under one name.
  const Range range = range_of(matrix);
  std::printf("6. struct: the matrix lies between %g and %g\n", range.low, range.high);
  correct = correct && range.low == 0 && range.high == 24;

  // 7. A lambda is a function without a name: [offset] lists what it captures.
  // [lambda]
  const float offset = 0.5f;
  const auto add_offset = [offset](float value) { return value + offset; };
  apply(means.data(), rows, add_offset);
  // [end]
  std::printf("7. lambda: means + 0.5 are %g %g %g\n\n", means[0], means[1], means[2]);
  const auto with_offset = [&](size_t row) { return expected(row) + offset; };
  correct = course::verify("mean + 0.5", means.data(), rows, with_offset) && correct;

  return course::verdict(correct);
}
