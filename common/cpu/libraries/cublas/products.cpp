// cublasGemmEx, products of halves, and the batches of both. Their types are known at run time:
// halves, integers and others that a CBLAS does not have. The products are computed in float, those
// of doubles and integers in double, which holds each sum of integers.
#include "calls.h"

#include <cstdint>
#include <type_traits>

namespace course_cpu::blas {
namespace {

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

Operand operand(const char *name, const Matrix &a) {
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

void gemm(CBLAS_TRANSPOSE a_is, CBLAS_TRANSPOSE b_is, int m, int n, int k, float alpha,
          const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc) {
  cblas_sgemm(CblasColMajor, a_is, b_is, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void gemm(CBLAS_TRANSPOSE a_is, CBLAS_TRANSPOSE b_is, int m, int n, int k, double alpha,
          const double *a, int lda, const double *b, int ldb, double beta, double *c, int ldc) {
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

// The type of alpha and beta.
cudaDataType scale_type(cublasComputeType_t compute) {
  switch (compute) {
  case CUBLAS_COMPUTE_16F:
  case CUBLAS_COMPUTE_16F_PEDANTIC:
    return CUDA_R_16F;
  case CUBLAS_COMPUTE_64F:
  case CUBLAS_COMPUTE_64F_PEDANTIC:
    return CUDA_R_64F;
  case CUBLAS_COMPUTE_32I:
  case CUBLAS_COMPUTE_32I_PEDANTIC:
    return CUDA_R_32I;
  default:
    return CUDA_R_32F;
  }
}

// True if the sums are doubles here.
bool in_double(cublasComputeType_t compute) {
  return scale_type(compute) == CUDA_R_64F || scale_type(compute) == CUDA_R_32I;
}

// True if there is a product of A and B of type `in` with C of type `out`.
bool has_product(cublasComputeType_t compute, cudaDataType in, cudaDataType out) {
  switch (scale_type(compute)) {
  case CUDA_R_32I:
    return in == CUDA_R_8I && out == CUDA_R_32I;
  case CUDA_R_32F:
    return (in == CUDA_R_32F || in == CUDA_R_16F || in == CUDA_R_16BF || in == CUDA_R_8I) &&
           (out == CUDA_R_32F || (out == in && in != CUDA_R_8I));
  default: // half or double
    return in == scale_type(compute) && out == in;
  }
}

} // namespace
} // namespace course_cpu::blas

using namespace course_cpu::blas;

// The sizes and types of a call: C is m x n.
struct Shape {
  cublasOperation_t op_a, op_b;
  int m, n, k;
  cudaDataType type_a, type_b, type_c;
  int lda, ldb, ldc;
  cublasComputeType_t compute;
};

static cublasStatus_t multiply(cublasHandle_t handle, const char *function, const Shape &shape,
                               const void *alpha, const void *a, const void *b, const void *beta,
                               void *c) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  const auto [op_a, op_b, m, n, k, type_a, type_b, type_c, lda, ldb, ldc, compute] = shape;
  if (!known(op_a) || !known(op_b) || m < 0 || n < 0 || k < 0 || !alpha || !beta || !fits(ldc, m) ||
      !fits(lda, op_a == CUBLAS_OP_N ? m : k) || !fits(ldb, op_b == CUBLAS_OP_N ? k : n))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (type_a != type_b || !has_product(compute, type_a, type_c))
    return not_supported(function, "a product of these types");
  if (m == 0 || n == 0)
    return CUBLAS_STATUS_SUCCESS;
  // CBLAS needs no copies for these types.
  if (type_a == CUDA_R_32F && type_c == CUDA_R_32F)
    return cublasSgemm(handle, op_a, op_b, m, n, k, static_cast<const float *>(alpha),
                       static_cast<const float *>(a), lda, static_cast<const float *>(b), ldb,
                       static_cast<const float *>(beta), static_cast<float *>(c), ldc);
  if (type_a == CUDA_R_64F)
    return cublasDgemm(handle, op_a, op_b, m, n, k, static_cast<const double *>(alpha),
                       static_cast<const double *>(a), lda, static_cast<const double *>(b), ldb,
                       static_cast<const double *>(beta), static_cast<double *>(c), ldc);
  const auto in = [](const void *array, cudaDataType type, cublasOperation_t op, int rows,
                     int columns, int leading) {
    return op == CUBLAS_OP_N ? Matrix{const_cast<void *>(array), type, rows, columns, leading}
                             : Matrix{const_cast<void *>(array), type, columns, rows, leading};
  };
  const Matrix whole_a = in(a, type_a, op_a, m, k, lda), whole_b = in(b, type_b, op_b, k, n, ldb);
  const Matrix whole_c = {c, type_c, m, n, ldc};
  const bool on_device = handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
  const Factor scale(alpha, scale_type(compute), on_device);
  const Factor keep(beta, scale_type(compute), on_device);
  return queue(
      handle->stream, function,
      {operand("A", whole_a), operand("B", whole_b), scale.operand("alpha"), keep.operand("beta")},
      {operand("C", whole_c)}, [=, op_a = op_a, op_b = op_b, compute = compute] {
        const double of_ab = scale, of_c = keep;
        if (of_c != 0)
          note_read(operand("C", whole_c));
        if (in_double(compute))
          store(product<double>(op_a, op_b, of_ab, whole_a, whole_b, of_c, whole_c), whole_c);
        else
          store(product<float>(op_a, op_b, float(of_ab), whole_a, whole_b, float(of_c), whole_c),
                whole_c);
      });
}

// The arrays of pointers lie in device memory: what is to write them has to be done.
static cublasStatus_t multiply_all(cublasHandle_t handle, const char *function, const Shape &shape,
                                   const void *alpha, const void *const a[], const void *const b[],
                                   const void *beta, void *const c[], int count) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (count < 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  for (int i = 0; i < count; ++i)
    if (const auto status = multiply(handle, function, shape, alpha, a[i], b[i], beta, c[i]))
      return status;
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t multiply_strided(cublasHandle_t handle, const char *function,
                                       const Shape &shape, const void *alpha, const void *a,
                                       long long stride_a, const void *b, long long stride_b,
                                       const void *beta, void *c, long long stride_c, int count) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (count < 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto at = [](const void *array, cudaDataType type, long long elements) {
    const char *place = static_cast<const char *>(array);
    with_type(type, [&](auto number) { place += elements * (long long)sizeof number; });
    return const_cast<char *>(place);
  };
  for (int i = 0; i < count; ++i)
    if (const auto status =
            multiply(handle, function, shape, alpha, at(a, shape.type_a, i * stride_a),
                     at(b, shape.type_b, i * stride_b), beta, at(c, shape.type_c, i * stride_c)))
      return status;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void *alpha, const void *a,
                            cudaDataType type_a, int lda, const void *b, cudaDataType type_b,
                            int ldb, const void *beta, void *c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply(handle, __func__,
                  {op_a, op_b, m, n, k, type_a, type_b, type_c, lda, ldb, ldc, compute}, alpha, a,
                  b, beta, c);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                   cublasOperation_t op_b, int m, int n, int k, const void *alpha,
                                   const void *const a[], cudaDataType type_a, int lda,
                                   const void *const b[], cudaDataType type_b, int ldb,
                                   const void *beta, void *const c[], cudaDataType type_c, int ldc,
                                   int count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply_all(handle, __func__,
                      {op_a, op_b, m, n, k, type_a, type_b, type_c, lda, ldb, ldc, compute}, alpha,
                      a, b, beta, c, count);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType type_a,
                                          int lda, long long stride_a, const void *b,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          const void *beta, void *c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t) {
  return multiply_strided(handle, __func__,
                          {op_a, op_b, m, n, k, type_a, type_b, type_c, lda, ldb, ldc, compute},
                          alpha, a, stride_a, b, stride_b, beta, c, stride_c, count);
}

// ---- halves only ----

static Shape of_halves(cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, int lda,
                       int ldb, int ldc) {
  return {op_a,       op_b,       m,   n,   k,   CUDA_R_16F,
          CUDA_R_16F, CUDA_R_16F, lda, ldb, ldc, CUBLAS_COMPUTE_16F};
}

cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                           int m, int n, int k, const __half *alpha, const __half *a, int lda,
                           const __half *b, int ldb, const __half *beta, __half *c, int ldc) {
  return multiply(handle, __func__, of_halves(op_a, op_b, m, n, k, lda, ldb, ldc), alpha, a, b,
                  beta, c);
}

cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                  cublasOperation_t op_b, int m, int n, int k, const __half *alpha,
                                  const __half *const a[], int lda, const __half *const b[],
                                  int ldb, const __half *beta, __half *const c[], int ldc,
                                  int count) {
  return multiply_all(handle, __func__, of_halves(op_a, op_b, m, n, k, lda, ldb, ldc), alpha,
                      reinterpret_cast<const void *const *>(a),
                      reinterpret_cast<const void *const *>(b), beta,
                      reinterpret_cast<void *const *>(c), count);
}

cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k,
                                         const __half *alpha, const __half *a, int lda,
                                         long long stride_a, const __half *b, int ldb,
                                         long long stride_b, const __half *beta, __half *c, int ldc,
                                         long long stride_c, int count) {
  return multiply_strided(handle, __func__, of_halves(op_a, op_b, m, n, k, lda, ldb, ldc), alpha, a,
                          stride_a, b, stride_b, beta, c, stride_c, count);
}
