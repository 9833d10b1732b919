// cuBLAS over a CBLAS: the handle, and what computes with float and double.
#include "calls.h"

#include <cmath>
#include <utility>

using namespace course_cpu::blas;

namespace {

// A sum of floats is one of doubles: many small terms would not change a large float.
float dot(int n, const float *x, int incx, const float *y, int incy) {
  return float(cblas_dsdot(n, x, incx, y, incy));
}
double dot(int n, const double *x, int incx, const double *y, int incy) {
  return cblas_ddot(n, x, incx, y, incy);
}

// A = P L U, in place. Returns 0, or the first step, from 1, whose pivot is 0.
int factorise(double *a, int n, std::size_t lda, int *pivots) {
  int first_zero = 0;
  for (int step = 0; step < n; ++step) {
    int pivot = step;
    for (int row = step + 1; pivots && row < n; ++row)
      if (std::abs(a[row + step * lda]) > std::abs(a[pivot + step * lda]))
        pivot = row;
    if (pivots)
      pivots[step] = pivot + 1;
    for (int column = 0; pivot != step && column < n; ++column)
      std::swap(a[step + column * lda], a[pivot + column * lda]);
    if (a[step + step * lda] == 0) {
      first_zero = first_zero ? first_zero : step + 1;
      continue;
    }
    for (int row = step + 1; row < n; ++row)
      a[row + step * lda] /= a[step + step * lda];
    for (int column = step + 1; column < n; ++column)
      for (int row = step + 1; row < n; ++row)
        a[row + column * lda] -= a[row + step * lda] * a[step + column * lda];
  }
  return first_zero;
}

} // namespace

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  int device;
  if (cudaGetDevice(&device) != cudaSuccess)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->pointer_mode = mode;
  return CUBLAS_STATUS_SUCCESS;
}

// ---- copies between host and device: a vector's elements are rows of one element ----

static cublasStatus_t copy(int rows, int columns, int bytes, const void *from, int lda, void *to,
                           int ldb, cudaMemcpyKind kind) {
  if (rows < 0 || columns < 0 || bytes <= 0 || !fits(lda, rows) || !fits(ldb, rows))
    return CUBLAS_STATUS_INVALID_VALUE;
  const std::size_t size = bytes;
  return cudaMemcpy2D(to, ldb * size, from, lda * size, rows * size, columns, kind) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}

#define COURSE_CPU_COPIES(NAME, KIND)                                                              \
  cublasStatus_t cublas##NAME##Matrix(int rows, int columns, int bytes, const void *from, int lda, \
                                      void *to, int ldb) {                                         \
    return copy(rows, columns, bytes, from, lda, to, ldb, KIND);                                   \
  }                                                                                                \
  cublasStatus_t cublas##NAME##Vector(int n, int bytes, const void *x, int incx, void *y,          \
                                      int incy) {                                                  \
    if (incx == 1 && incy == 1)                                                                    \
      return copy(n, 1, bytes, x, n, y, n, KIND);                                                  \
    return copy(1, n, bytes, x, incx, y, incy, KIND);                                              \
  }
COURSE_CPU_COPIES(Set, cudaMemcpyHostToDevice)
COURSE_CPU_COPIES(Get, cudaMemcpyDeviceToHost)
#undef COURSE_CPU_COPIES

const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define COURSE_CPU_STATUS(NAME)                                                                    \
  case NAME:                                                                                       \
    return #NAME;
    COURSE_CPU_STATUS(CUBLAS_STATUS_SUCCESS)
    COURSE_CPU_STATUS(CUBLAS_STATUS_NOT_INITIALIZED)
    COURSE_CPU_STATUS(CUBLAS_STATUS_ALLOC_FAILED)
    COURSE_CPU_STATUS(CUBLAS_STATUS_INVALID_VALUE)
    COURSE_CPU_STATUS(CUBLAS_STATUS_ARCH_MISMATCH)
    COURSE_CPU_STATUS(CUBLAS_STATUS_MAPPING_ERROR)
    COURSE_CPU_STATUS(CUBLAS_STATUS_EXECUTION_FAILED)
    COURSE_CPU_STATUS(CUBLAS_STATUS_INTERNAL_ERROR)
    COURSE_CPU_STATUS(CUBLAS_STATUS_NOT_SUPPORTED)
    COURSE_CPU_STATUS(CUBLAS_STATUS_LICENSE_ERROR)
#undef COURSE_CPU_STATUS
  }
  return "unknown status";
}

const char *cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
  case CUBLAS_STATUS_SUCCESS:
    return "success";
  case CUBLAS_STATUS_NOT_INITIALIZED:
    return "the library was not initialized";
  case CUBLAS_STATUS_INVALID_VALUE:
    return "an unsupported value or parameter was passed to the function";
  case CUBLAS_STATUS_EXECUTION_FAILED:
    return "the function failed to launch on the GPU";
  default:
    return cublasGetStatusName(status);
  }
}

// One definition for both types; `s` or `d` is the letter of CBLAS.
#define COURSE_CPU_CUBLAS(LETTER, letter, T)                                                       \
  cublasStatus_t cublas##LETTER##gemm(                                                             \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc) {    \
    if (!handle)                                                                                   \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    if (!known(op_a) || !known(op_b) || m < 0 || n < 0 || k < 0 || !alpha || !beta ||              \
        !fits(lda, op_a == CUBLAS_OP_N ? m : k) || !fits(ldb, op_b == CUBLAS_OP_N ? k : n) ||      \
        !fits(ldc, m))                                                                             \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    if (m == 0 || n == 0)                                                                          \
      return CUBLAS_STATUS_SUCCESS;                                                                \
    const Scalar<T> scale_ab(handle, alpha), scale_c(handle, beta);                                \
    const auto size = [](cublasOperation_t op, int rows, int columns) {                            \
      return op == CUBLAS_OP_N ? std::pair(rows, columns) : std::pair(columns, rows);              \
    };                                                                                             \
    const auto [rows_a, columns_a] = size(op_a, m, k);                                             \
    const auto [rows_b, columns_b] = size(op_b, k, n);                                             \
    const Operand whole_c = matrix("C", c, m, n, ldc);                                             \
    return queue(handle->stream, __func__,                                                         \
                 {matrix("A", a, rows_a, columns_a, lda), matrix("B", b, rows_b, columns_b, ldb),  \
                  scalar(handle, "alpha", alpha), scalar(handle, "beta", beta)},                   \
                 {whole_c}, [=] {                                                                  \
                   if (scale_c != T(0))                                                            \
                     note_read(whole_c);                                                           \
                   cblas_##letter##gemm(CblasColMajor, transpose(op_a), transpose(op_b), m, n, k,  \
                                        scale_ab, a, lda, b, ldb, scale_c, c, ldc);                \
                 });                                                                               \
  }                                                                                                \
                                                                                                   \
  cublasStatus_t cublas##LETTER##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,   \
                                      const T *alpha, const T *a, int lda, const T *x, int incx,   \
                                      const T *beta, T *y, int incy) {                             \
    if (!handle)                                                                                   \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    if (!known(op) || m < 0 || n < 0 || !alpha || !beta || !fits(lda, m) || incx == 0 ||           \
        incy == 0)                                                                                 \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    if (m == 0 || n == 0)                                                                          \
      return CUBLAS_STATUS_SUCCESS;                                                                \
    const Scalar<T> scale_x(handle, alpha), scale_y(handle, beta);                                 \
    const bool plain = op == CUBLAS_OP_N;                                                          \
    const Operand whole_y = vector("y", y, plain ? m : n, incy);                                   \
    return queue(handle->stream, __func__,                                                         \
                 {matrix("A", a, m, n, lda), vector("x", x, plain ? n : m, incx),                  \
                  scalar(handle, "alpha", alpha), scalar(handle, "beta", beta)},                   \
                 {whole_y}, [=] {                                                                  \
                   if (scale_y != T(0))                                                            \
                     note_read(whole_y);                                                           \
                   cblas_##letter##gemv(CblasColMajor, transpose(op), m, n, scale_x, a, lda, x,    \
                                        incx, scale_y, y, incy);                                   \
                 });                                                                               \
  }                                                                                                \
                                                                                                   \
  cublasStatus_t cublas##LETTER##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x,    \
                                      int incx, T *y, int incy) {                                  \
    if (!handle)                                                                                   \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    if (!alpha)                                                                                    \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    if (n <= 0)                                                                                    \
      return CUBLAS_STATUS_SUCCESS;                                                                \
    const Scalar<T> scale(handle, alpha);                                                          \
    const Operand whole_x = vector("x", x, n, incx), whole_y = vector("y", y, n, incy);            \
    return queue(handle->stream, __func__, {whole_x, whole_y, scalar(handle, "alpha", alpha)},     \
                 {whole_y}, [=] { cblas_##letter##axpy(n, scale, x, incx, y, incy); });            \
  }                                                                                                \
                                                                                                   \
  cublasStatus_t cublas##LETTER##dot(cublasHandle_t handle, int n, const T *x, int incx,           \
                                     const T *y, int incy, T *result) {                            \
    if (!handle)                                                                                   \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    if (!result)                                                                                   \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    if (n <= 0)                                                                                    \
      return queue_result(handle, __func__, {}, result, [] { return T(0); });                      \
    return queue_result(handle, __func__, {vector("x", x, n, incx), vector("y", y, n, incy)},      \
                        result, [=] { return dot(n, x, incx, y, incy); });                         \
  }                                                                                                \
                                                                                                   \
  cublasStatus_t cublas##LETTER##nrm2(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      T *result) {                                                 \
    if (!handle)                                                                                   \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    if (!result)                                                                                   \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    if (n <= 0 || incx <= 0)                                                                       \
      return queue_result(handle, __func__, {}, result, [] { return T(0); });                      \
    return queue_result(handle, __func__, {vector("x", x, n, incx)}, result,                       \
                        [=] { return cblas_##letter##nrm2(n, x, incx); });                         \
  }                                                                                                \
                                                                                                   \
  cublasStatus_t cublas##LETTER##gemmBatched(                                                      \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T *alpha, const T *const a[], int lda, const T *const b[], int ldb, const T *beta,     \
      T *const c[], int ldc, int count) {                                                          \
    if (!handle)                                                                                   \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    if (count < 0)                                                                                 \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    /* The pointers lie in device memory: what is to write them has to be done. */                 \
    if (cudaStreamSynchronize(handle->stream) != cudaSuccess)                                      \
      return CUBLAS_STATUS_EXECUTION_FAILED;                                                       \
    for (int i = 0; i < count; ++i)                                                                \
      if (const auto status = cublas##LETTER##gemm(handle, op_a, op_b, m, n, k, alpha, a[i], lda,  \
                                                   b[i], ldb, beta, c[i], ldc))                    \
        return status;                                                                             \
    return CUBLAS_STATUS_SUCCESS;                                                                  \
  }

COURSE_CPU_CUBLAS(S, s, float)
COURSE_CPU_CUBLAS(D, d, double)
#undef COURSE_CPU_CUBLAS

cublasStatus_t cublasDgetrfBatched(cublasHandle_t handle, int n, double *const a[], int lda,
                                   int *pivots, int *info, int count) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || count < 0 || !fits(lda, n))
    return CUBLAS_STATUS_INVALID_VALUE;
  // The pointers lie in device memory: what is to write them has to be done.
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  for (int i = 0; i < count; ++i) {
    double *const its = a[i];
    int *const its_pivots = pivots ? pivots + std::ptrdiff_t(i) * n : nullptr;
    const Operand matrix_a = matrix("A", its, n, n, lda);
    const Operand rows = vector("the pivots", its_pivots, pivots ? n : 0, 1);
    if (const auto status = queue(handle->stream, __func__, {matrix_a},
                                  {matrix_a, rows, vector("info", info + i, 1, 1)},
                                  [=] { info[i] = factorise(its, n, lda, its_pivots); }))
      return status;
  }
  return CUBLAS_STATUS_SUCCESS;
}
