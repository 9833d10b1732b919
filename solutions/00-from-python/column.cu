// Exercise 00-from-python/column: one column of a matrix that is stored row by row.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/00-from-python/column.cu -o column
// Run:   ./column

#include "common/verify.hpp"
#include "exercises/00-from-python/column.hpp"

#include <cstdio>
#include <vector>

void column(const float *matrix, int rows, int cols, int col, float *out) {
  // TODO 1: for each row, out[row] is the element in this row and in column `col`
  for (int row = 0; row < rows; ++row)
    out[row] = matrix[row * cols + col];
  // TODO end
}

int main() {
  const int rows = 3, cols = 5;
  std::vector<float> matrix(rows * cols), got(rows);
  for (int i = 0; i < rows * cols; ++i)
    matrix[i] = i;

  bool correct = true;
  for (int col = 0; col < cols; ++col) {
    column(matrix.data(), rows, cols, col, got.data());
    std::printf("column %d: %g %g %g\n", col, got[0], got[1], got[2]);
    correct = correct && got == std::vector<float>{float(col), float(col + 5), float(col + 10)};
  }
  return course::verdict(correct);
}
