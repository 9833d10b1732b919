// What both programs of the lesson need: matrices, room for them, and the proof of a product.
#pragma once

#include "common/check.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

inline int blocks_for(int n, int block) { return (n + block - 1) / block; }

// A matrix of random numbers from -1 to 1, row by row; another one each time.
inline std::vector<float> random_matrix(int rows, int cols) {
  static std::mt19937 random;
  std::vector<float> matrix(std::size_t(rows) * cols);
  for (float &value : matrix)
    value = (random() >> 8) * 0x1p-23f - 1;
  return matrix;
}

// Ends the program with exit code 1 unless the device has room for A (m x k), B (k x n) and C
// (m x n).
inline void expect_room(int m, int n, int k) {
  const double bytes = sizeof(float) * (double(m) * k + double(k) * n + double(m) * n);
  std::size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  if (bytes <= free_bytes)
    return;
  std::fflush(stdout);
  std::fprintf(stderr,
               "m = %d, n = %d and k = %d need %.3g GB, and the device has %.3g GB free; try "
               "smaller ones\n",
               m, n, k, 1e-9 * bytes, 1e-9 * free_bytes);
  std::exit(EXIT_FAILURE);
}

// Freivalds' check of C = A B: with any vector x, C x must be A (B x). Both sides take 2 n^2
// operations where the product took 2 n^3. The numbers in x are random, so that the wrong elements
// of a row do not cancel each other, not even where two columns have changed places.
class ProductCheck {
public:
  // a: m x k, b: k x n; host memory, row by row, elements from -1 to 1.
  ProductCheck(const float *a, const float *b, int m, int n, int k) : x_(n), m_(m), n_(n), k_(k) {
    std::mt19937 random;
    for (double &value : x_)
      value = 0.5 + (random() >> 8) * 0x1p-25; // to 1
    abx_ = times(a, m, k, times(b, k, n, x_));
  }

  // Whether c (m x n, host memory) is the product. Prints the first row that is not, under `what`.
  bool verify(const char *what, const float *c) const {
    // Rounding moves an element by about k / 5 units of 2^-25, and the sum of a row's n elements by
    // sqrt(n) times that; products that are left out or come twice move it by far more.
    const double tolerance = k_ * std::sqrt(n_) * 0x1p-24;
    const std::vector<double> cx = times(c, m_, n_, x_);
    for (int row = 0; row < m_; ++row)
      if (!(std::abs(cx[row] - abx_[row]) <= tolerance)) { // so that a NaN is wrong, too
        std::printf("  %s: row %d of C is wrong: C x is %.10g there, but A (B x) is %.10g\n", what,
                    row, cx[row], abx_[row]);
        return false;
      }
    return true;
  }

private:
  // matrix (rows x columns) times vector.
  static std::vector<double> times(const float *matrix, int rows, int columns,
                                   const std::vector<double> &vector) {
    std::vector<double> result(rows);
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        result[row] += double(matrix[std::size_t(row) * columns + column]) * vector[column];
    return result;
  }

  std::vector<double> x_, abx_;
  int m_, n_, k_;
};
