// Lesson 00: the C++ that CUDA needs. Plain C++, no GPU yet.
//
// Build: g++ -O3 -std=c++17 -I. lessons/00-from-python/from-python.cpp -o from-python
// Run:   ./from-python
#include "common/verify.hpp"

#include <climits>
#include <cstdio>
#include <vector>

// Multiplies n numbers by `factor`.
// [scale]
void scale(float *x, int n, float factor) {
  for (int i = 0; i < n; ++i)
    x[i] = factor * x[i];
}
// [end]

// Computes the mean of every row of a matrix.
// [row-means]
void row_means(const float *matrix, int rows, int cols, float *means) {
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int col = 0; col < cols; ++col)
      sum += matrix[row * cols + col];
    means[row] = float(sum / cols);
  }
}
// [end]

// [arguments]
void twice_copy(float x) { x = 2 * x; }       // x is a copy of the argument
void twice_reference(float &x) { x = 2 * x; } // x is another name for the caller's variable
void twice_pointer(float *x) { *x = 2 * *x; } // x is the address of the caller's variable
// [end]

int main() {
  // 1. Every type has a size, and so a largest value.
  std::printf("1. bytes: int %zu, float %zu, double %zu, long long %zu, pointer %zu\n", sizeof(int),
              sizeof(float), sizeof(double), sizeof(long long), sizeof(float *));
  const int side = 50000;
  const std::size_t elements = std::size_t(side) * side; // side * side would overflow
  std::printf("   %d x %d = %zu, but the largest int is %d\n", side, side, elements, INT_MAX);

  // 2. An int divided by an int is an int.
  const int n = 1000, block = 256, blocks = (n + block - 1) / block; // rounded up
  std::printf("2. 7 / 2 = %d, -7 / 2 = %d, 7 %% 2 = %d, 7 / 2.0 = %g\n", 7 / 2, -7 / 2, 7 % 2,
              7 / 2.0);
  std::printf("   %d / %d = %d, rounded up: %d\n", n, block, n / block, blocks);
  bool correct = elements == 2'500'000'000 && blocks == 4;

  // 3. A function gets the address of an array, and its size.
  float x[4] = {0, 1, 2, 3};
  scale(x, 4, 10);
  std::printf("3. 0 1 2 3, scaled by 10: %g %g %g %g\n", x[0], x[1], x[2], x[3]);
  correct = correct && x[0] == 0 && x[1] == 10 && x[2] == 20 && x[3] == 30;

  // 4. A matrix is stored row by row.
  // [matrix]
  const int rows = 3, cols = 5;
  std::vector<float> matrix(rows * cols), means(rows);
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col)
      matrix[row * cols + col] = 10 * row + col;
  row_means(matrix.data(), rows, cols, means.data());
  // [end]
  std::printf("4. %d x %d matrix: row 1, column 2 is element %d, its value is %g\n", rows, cols,
              1 * cols + 2, matrix[1 * cols + 2]);
  std::printf("   row means: %g %g %g\n", means[0], means[1], means[2]);
  correct = correct && means == std::vector<float>{2, 12, 22};

  // 5. A parameter is a copy, a reference or an address.
  float a = 21, b = 21, c = 21;
  twice_copy(a);
  twice_reference(b);
  twice_pointer(&c);
  std::printf("5. twice 21: by copy %g, by reference %g, by pointer %g\n\n", a, b, c);
  correct = correct && a == 21 && b == 42 && c == 42;

  return course::verdict(correct);
}
