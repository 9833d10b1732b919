// Products of matrices whose types are known at run time: of halves, integers and others that a
// CBLAS does not have. They are computed in float, those of doubles and integers in double, which
// holds each sum of integers.
#pragma once

#include "calls.h"
#include "cuda_fp8.h"

#include <cstdint>
#include <type_traits>

namespace course_cpu::blas {

// Calls f with a number of that type; nothing is called for a type that no product has.
template <class F> void with_type(cudaDataType type, const F &f) {
  switch (type) {
  case CUDA_R_64F:
    return f(double());
  case CUDA_R_32F:
    return f(float());
  case CUDA_R_16F:
    return f(__half());
  case CUDA_R_16BF:
    return f(__nv_bfloat16());
  case CUDA_R_8F_E4M3:
    return f(__nv_fp8_e4m3());
  case CUDA_R_8F_E5M2:
    return f(__nv_fp8_e5m2());
  case CUDA_R_32I:
    return f(std::int32_t());
  case CUDA_R_8I:
    return f(std::int8_t());
  default:
    return;
  }
}

struct Matrix {
  void *array;
  cudaDataType type;
  int rows, columns, leading;
};

inline Operand operand(const char *name, const Matrix &a) {
  std::size_t bytes = 0;
  with_type(a.type, [&](auto number) { bytes = sizeof number; });
  return {
      name, a.array, bytes, std::size_t(a.rows), std::size_t(a.columns), std::size_t(a.leading)};
}

// alpha, beta or another factor: its value, or where on the device it will be.
class Factor {
public:
  Factor(const void *pointer, cudaDataType type, bool on_device)
      : pointer_(pointer), type_(type), on_device_(on_device), value_(on_device ? 0 : read()) {}
  operator double() const { return on_device_ ? read() : value_; }
  bool may_be_set() const { return on_device_ || value_ != 0; }
  Operand operand(const char *name) const {
    return blas::operand(name, {const_cast<void *>(pointer_), type_, on_device_, 1, 1});
  }

private:
  double read() const {
    double value = 0;
    with_type(type_, [&](auto number) {
      value = static_cast<double>(*static_cast<const decltype(number) *>(pointer_));
    });
    return value;
  }

  const void *pointer_;
  cudaDataType type_;
  bool on_device_;
  double value_;
};

// Columns of numbers that lie side by side.
template <class Wide> std::vector<Wide> widened(const Matrix &a) {
  std::vector<Wide> result(std::size_t(a.rows) * a.columns);
  with_type(a.type, [&](auto number) {
    const auto *from = static_cast<const decltype(number) *>(a.array);
    for (std::size_t column = 0; column < std::size_t(a.columns); ++column)
      for (std::size_t row = 0; row < std::size_t(a.rows); ++row)
        result[row + column * a.rows] = static_cast<Wide>(from[row + column * a.leading]);
  });
  return result;
}

template <class Wide> void store(const std::vector<Wide> &values, const Matrix &c) {
  with_type(c.type, [&](auto number) {
    using T = decltype(number);
    // Integers that are too large wrap around.
    using Between = std::conditional_t<std::is_integral_v<T>, std::int64_t, Wide>;
    auto *const to = static_cast<T *>(c.array);
    for (std::size_t column = 0; column < std::size_t(c.columns); ++column)
      for (std::size_t row = 0; row < std::size_t(c.rows); ++row)
        to[row + column * c.leading] =
            static_cast<T>(static_cast<Between>(values[row + column * c.rows]));
  });
}

inline void gemm(CBLAS_TRANSPOSE a_is, CBLAS_TRANSPOSE b_is, int m, int n, int k, float alpha,
                 const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc) {
  cblas_sgemm(CblasColMajor, a_is, b_is, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
inline void gemm(CBLAS_TRANSPOSE a_is, CBLAS_TRANSPOSE b_is, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c,
                 int ldc) {
  cblas_dgemm(CblasColMajor, a_is, b_is, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

// alpha op(A) op(B) + beta C; where beta is 0, C is not read.
template <class Wide>
std::vector<Wide> product(cublasOperation_t op_a, cublasOperation_t op_b, Wide alpha,
                          const Matrix &a, const Matrix &b, Wide beta, const Matrix &c) {
  const std::vector<Wide> of_a = widened<Wide>(a), of_b = widened<Wide>(b);
  std::vector<Wide> result =
      beta == 0 ? std::vector<Wide>(std::size_t(c.rows) * c.columns) : widened<Wide>(c);
  gemm(transpose(op_a), transpose(op_b), c.rows, c.columns,
       op_a == CUBLAS_OP_N ? a.columns : a.rows, alpha, of_a.data(), std::max(1, a.rows),
       of_b.data(), std::max(1, b.rows), beta, result.data(), std::max(1, c.rows));
  return result;
}

// The type of alpha and beta, and whether the sums are doubles here.
cudaDataType scale_type(cublasComputeType_t compute);
bool in_double(cublasComputeType_t compute);

// True if there is a product of A and B of type `in` with C of type `out`.
bool has_product(cublasComputeType_t compute, cudaDataType in, cudaDataType out);

} // namespace course_cpu::blas
