// What both programs of the lesson need: matrices, room for them, cuBLAS, and the proof of a
// product.
#pragma once

#include "common/check.hpp"
#include "common/cublas.hpp"

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

// A copy of the matrix in device memory, which the caller frees.
inline float *on_device(const std::vector<float> &matrix) {
  float *d_matrix = nullptr;
  CUDA_CHECK(cudaMalloc(&d_matrix, matrix.size() * sizeof(float)));
  CUDA_CHECK(
      cudaMemcpy(d_matrix, matrix.data(), matrix.size() * sizeof(float), cudaMemcpyHostToDevice));
  return d_matrix;
}

// C = A B by cuBLAS. It comes from Fortran and takes matrices column by column: read so, ours are
// transposed. Hence the factors change places: B^T times A^T is C^T.
inline void cublas_product(cublasHandle_t cublas, const float *d_a, const float *d_b, float *d_c,
                           int m, int n, int k) {
  const float one = 1, zero = 0;
  CUBLAS_CHECK(
      cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, n, d_a, k, &zero, d_c, n));
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

// Freivalds' check of C = A B: for a vector x, C x must be A (B x). Both sides take about 2 n^2
// operations, the product 2 n^3. The check is probabilistic: it misses a wrong row whose errors,
// each times its number in x, add up to less than the tolerance. x is random, so that this is
// unlikely: also errors that would cancel if all numbers of x were 1, as where two columns have
// changed places, are found. An error that is itself below the tolerance is never found.
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
