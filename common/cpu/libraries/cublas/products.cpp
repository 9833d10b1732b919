// cublasGemmEx and products of halves: of types that a CBLAS does not have. The products are
// computed in float.
#include "calls.h"

namespace course_cpu::blas {
namespace {

// Calls f with a number of that type; nothing is called for a type that no product has.
template <class F> void with_type(cudaDataType type, const F &f) {
  switch (type) {
  case CUDA_R_32F:
    return f(float());
  case CUDA_R_16F:
    return f(__half());
  case CUDA_R_16BF:
    return f(__nv_bfloat16());
  default:
    return;
  }
}

struct Matrix {
  void *array;
  cudaDataType type;
  int rows, columns, leading;
};

Operand operand(const char *name, const Matrix &a) {
  std::size_t bytes = 0;
  with_type(a.type, [&](auto number) { bytes = sizeof number; });
  return {
      name, a.array, bytes, std::size_t(a.rows), std::size_t(a.columns), std::size_t(a.leading)};
}

// Columns of numbers that lie side by side.
std::vector<float> widened(const Matrix &a) {
  std::vector<float> result(std::size_t(a.rows) * a.columns);
  with_type(a.type, [&](auto number) {
    const auto *from = static_cast<const decltype(number) *>(a.array);
    for (std::size_t column = 0; column < std::size_t(a.columns); ++column)
      for (std::size_t row = 0; row < std::size_t(a.rows); ++row)
        result[row + column * a.rows] = static_cast<float>(from[row + column * a.leading]);
  });
  return result;
}

void store(const std::vector<float> &values, const Matrix &c) {
  with_type(c.type, [&](auto number) {
    using T = decltype(number);
    auto *const to = static_cast<T *>(c.array);
    for (std::size_t column = 0; column < std::size_t(c.columns); ++column)
      for (std::size_t row = 0; row < std::size_t(c.rows); ++row)
        to[row + column * c.leading] = static_cast<T>(values[row + column * c.rows]);
  });
}

// C = alpha op(A) op(B) + beta C, where alpha and beta are of type Scale. If beta is 0, C is not
// read.
template <class Scale>
cublasStatus_t multiply(cublasHandle_t handle, const char *function, cublasOperation_t op_a,
                        cublasOperation_t op_b, int m, int n, int k, const Scale *alpha,
                        const void *a, cudaDataType type_a, int lda, const void *b,
                        cudaDataType type_b, int ldb, const Scale *beta, void *c,
                        cudaDataType type_c, int ldc) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!known(op_a) || !known(op_b) || m < 0 || n < 0 || k < 0 || !alpha || !beta || !fits(ldc, m) ||
      !fits(lda, op_a == CUBLAS_OP_N ? m : k) || !fits(ldb, op_b == CUBLAS_OP_N ? k : n))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  const auto in = [](const void *array, cudaDataType type, cublasOperation_t op, int rows,
                     int columns, int leading) {
    return op == CUBLAS_OP_N ? Matrix{const_cast<void *>(array), type, rows, columns, leading}
                             : Matrix{const_cast<void *>(array), type, columns, rows, leading};
  };
  const Matrix whole_a = in(a, type_a, op_a, m, k, lda), whole_b = in(b, type_b, op_b, k, n, ldb);
  const Matrix whole_c = {c, type_c, m, n, ldc};
  const Scalar<Scale> scale(handle, alpha), keep(handle, beta);
  return queue(handle->stream, function,
               {operand("A", whole_a), operand("B", whole_b), scalar(handle, "alpha", alpha),
                scalar(handle, "beta", beta)},
               {operand("C", whole_c)}, [=] {
                 const float of_ab(static_cast<Scale>(scale)), of_c(static_cast<Scale>(keep));
                 if (of_c != 0)
                   note_read(operand("C", whole_c));
                 const std::vector<float> of_a = widened(whole_a), of_b = widened(whole_b);
                 std::vector<float> result =
                     of_c == 0 ? std::vector<float>(std::size_t(m) * n) : widened(whole_c);
                 cblas_sgemm(CblasColMajor, transpose(op_a), transpose(op_b), m, n, k, of_ab,
                             of_a.data(), std::max(1, whole_a.rows), of_b.data(),
                             std::max(1, whole_b.rows), of_c, result.data(), m);
                 store(result, whole_c);
               });
}

} // namespace
} // namespace course_cpu::blas

using namespace course_cpu::blas;

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void *alpha, const void *a,
                            cudaDataType type_a, int lda, const void *b, cudaDataType type_b,
                            int ldb, const void *beta, void *c, cudaDataType type_c, int ldc,
                            cublasComputeType_t, cublasGemmAlgo_t) {
  const auto *const of_ab = static_cast<const float *>(alpha);
  const auto *const of_c = static_cast<const float *>(beta);
  if (type_a == CUDA_R_32F && type_b == CUDA_R_32F && type_c == CUDA_R_32F) // needs no copies
    return cublasSgemm(handle, op_a, op_b, m, n, k, of_ab, static_cast<const float *>(a), lda,
                       static_cast<const float *>(b), ldb, of_c, static_cast<float *>(c), ldc);
  if (type_a != type_b || (type_a != CUDA_R_16F && type_a != CUDA_R_16BF) ||
      (type_c != type_a && type_c != CUDA_R_32F))
    return not_supported(__func__, "a product of these types");
  return multiply(handle, __func__, op_a, op_b, m, n, k, of_ab, a, type_a, lda, b, type_b, ldb,
                  of_c, c, type_c, ldc);
}

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                           int m, int n, int k, const __half *alpha, const __half *a, int lda,
                           const __half *b, int ldb, const __half *beta, __half *c, int ldc) {
  return multiply(handle, __func__, op_a, op_b, m, n, k, alpha, a, CUDA_R_16F, lda, b, CUDA_R_16F,
                  ldb, beta, c, CUDA_R_16F, ldc);
}
