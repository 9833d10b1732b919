// Lesson 00: the C++ that CUDA needs, for people who write NumPy and Numba. No GPU yet.
//
// Build: g++ -O3 -std=c++17 -I. lessons/00-from-python/from-python.cpp -o from-python
// Run:   ./from-python
#include "common/verify.hpp"

#include <climits>
#include <cstddef>
#include <cstdio>
#include <vector>

// The number of blocks of `block` elements that cover n elements: n / block, rounded up.
int blocks_for(int n, int block) { return (n + block - 1) / block; }

// Where the element of row `row` and column `col` lies in a matrix stored row after row, as NumPy
// stores it (order "C").
std::size_t flat(int row, int col, int cols) { return std::size_t(row) * cols + col; }

// A copy comes in, as with a number in Python; the caller's variable stays as it is.
void double_copy(float x) { x = 2 * x; }

// An address comes in: the caller's variable itself changes. Its type says so: float*.
void double_in_place(float *x) { *x = 2 * *x; }

// The mean of each row of a rows x cols matrix. A pointer knows no length: sizes come along.
// const: this function promises not to write there.
void row_means(const float *matrix, float *means, int rows, int cols) {
  for (int row = 0; row < rows; ++row) {
    double sum = 0; // in double: thousands of floats summed in float lose digits
    for (int col = 0; col < cols; ++col)
      sum += matrix[flat(row, col, cols)];
    means[row] = float(sum / cols);
  }
}

// Applies `f` to each of the n values, as numpy.vectorize does. T and Function are found by the
// compiler, which makes a version for each: as Numba does, but before the program runs.
template <class T, class Function> void apply(T *values, int n, Function f) {
  for (int i = 0; i < n; ++i)
    values[i] = f(values[i]);
}

int main() {
  std::puts("device: none, this lesson is plain C++");
  bool correct = true;

  // 1. A variable has one type for ever, and a type has a size. Only Python's int grows.
  std::printf("\n1. types: char %zu, int %zu, long long %zu, float %zu, double %zu bytes\n",
              sizeof(char), sizeof(int), sizeof(long long), sizeof(float), sizeof(double));
  const int side = 50000;
  const long long elements = (long long)side * side; // side * side does not fit into an int
  std::printf("   %d x %d = %lld elements, but an int ends at %d\n", side, side, elements, INT_MAX);
  correct = correct && elements == 2500000000LL;

  // 2. Numbers: a float holds 24 bits, about 7 digits. 0.1 is a double, 0.1f a float.
  std::printf("2. digits: 1/3 is %.17g in float, %.17g in double\n", double(1.0f / 3), 1.0 / 3);
  correct = correct && 16777216.0f + 1.0f == 16777216.0f; // 2^24 + 1 is no float

  // 3. An int divided by an int is an int: as // in Python, but towards zero.
  std::printf("3. division: 7 / 2 = %d, -7 / 2 = %d, 7 / 2.0 = %g\n", 7 / 2, -7 / 2, 7 / 2.0);
  std::printf("   1000 elements in blocks of 256: 1000 / 256 = %d is too few, rounded up: %d\n",
              1000 / 256, blocks_for(1000, 256));
  correct = correct && blocks_for(1000, 256) == 4 && blocks_for(1024, 256) == 4;

  // 4. Arguments are copied. To change the caller's variable a function needs its address: &x.
  float x = 21, y = 21;
  double_copy(x);
  double_in_place(&y);
  std::printf("4. arguments: after double_copy(x) x is %g; after double_in_place(&y) y is %g\n", x,
              y);
  correct = correct && x == 21 && y == 42;

  // 5. A matrix is one row after the other. std::vector owns the memory and frees it at the end
  //    of the scope; data() is the address of its first element, which is all a kernel gets.
  const int rows = 3, cols = 5;
  std::vector<float> matrix(rows * cols), means(rows);
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col)
      matrix[flat(row, col, cols)] = float(10 * row + col);
  std::printf("5. row-major: row 1, column 2 of %d x %d is element %zu: %g\n", rows, cols,
              flat(1, 2, cols), matrix[flat(1, 2, cols)]);
  correct = correct && matrix.data() + 7 == &matrix[flat(1, 2, cols)];

  row_means(matrix.data(), means.data(), rows, cols);
  std::printf("   means of the rows: %g %g %g\n", means[0], means[1], means[2]);
  correct = correct && course::verify("mean", means.data(), rows,
                                      [](std::size_t row) { return 10.0 * row + 2; });

  // 6. A lambda is a function without a name: [offset] says which variables it takes along.
  const float offset = 0.5f;
  apply(means.data(), rows, [offset](float value) { return value + offset; });
  std::printf("6. lambda: means + 0.5 are %g %g %g\n\n", means[0], means[1], means[2]);
  correct = correct && course::verify("mean + 0.5", means.data(), rows,
                                      [](std::size_t row) { return 10.0 * row + 2.5; });

  return course::verdict(correct);
}
