// cuBLAS over a CBLAS: each call checks its arguments as cuBLAS does and queues the work on the
// handle's stream.
#include "cublas_v2.h"

#include "checks/checks.h"
#include "runtime/runtime.h"

#include <algorithm>
#include <cblas.h>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH; // kept, and without effect
};

namespace {

// A scalar argument: its value, or where on the device it will be.
template <class T> class Scalar {
public:
  Scalar(cublasHandle_t handle, const T *pointer)
      : on_device_(handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE ? pointer : nullptr),
        value_(on_device_ ? T() : *pointer) {}
  operator T() const { return on_device_ ? *on_device_ : value_; }

private:
  const T *on_device_;
  T value_;
};

// Tells the checks what a call is about to read or write: nobody sees the accesses of CBLAS.
enum class Use { read, write };

template <class T> void note(Use use, const T *array, std::size_t count) {
  use == Use::read ? course_cpu::checks::taken(array, count * sizeof(T))
                   : course_cpu::checks::filled(array, count * sizeof(T));
}

template <class T> void note_matrix(Use use, const T *a, int rows, int columns, int leading) {
  for (int column = 0; column < columns; ++column)
    note(use, a + std::size_t(column) * leading, rows);
}

template <class T> void note_vector(Use use, const T *x, int n, int step) {
  for (int i = 0; i < n; ++i)
    note(use, x + std::size_t(i) * std::abs(step), 1);
}

// Queues `work` on the handle's stream. An array in the host's memory is a fault, as on a device.
template <class Work>
cublasStatus_t queue(cublasHandle_t handle, const char *function,
                     std::initializer_list<const void *> arrays, const Work &work) {
  for (const void *array : arrays) {
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, array) != cudaSuccess)
      return CUBLAS_STATUS_EXECUTION_FAILED;
    if (attributes.type != cudaMemoryTypeUnregistered)
      continue;
    std::fprintf(stderr,
                 "error: %s: %p is no address in device memory: give it arrays of "
                 "cudaMalloc or cudaMallocManaged\n",
                 function, array);
    course_cpu::enqueue(handle->stream,
                        [] { course_cpu::set_sticky_error(cudaErrorIllegalAddress); });
    return CUBLAS_STATUS_SUCCESS; // the fault shows when somebody waits
  }
  course_cpu::enqueue(handle->stream, work);
  return CUBLAS_STATUS_SUCCESS;
}

// The same for a function whose result is a scalar: with host pointers the host waits for it.
template <class T, class Work>
cublasStatus_t queue_result(cublasHandle_t handle, const char *function,
                            std::initializer_list<const void *> arrays, T *result,
                            const Work &work) {
  const cublasStatus_t status = queue(handle, function, arrays, [=] {
    note(Use::write, result, 1);
    *result = work();
  });
  if (status != CUBLAS_STATUS_SUCCESS || handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
    return status;
  return cudaStreamSynchronize(handle->stream) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                              : CUBLAS_STATUS_EXECUTION_FAILED;
}

CBLAS_TRANSPOSE transpose(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? CblasNoTrans : CblasTrans;
}

bool known(cublasOperation_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C; }

// Whether a matrix of that many rows may have this leading dimension.
bool fits(int leading, int rows) { return leading >= std::max(1, rows); }

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

cublasStatus_t cublasGetVersion(cublasHandle_t, int *version) {
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

#define COURSE_CPU_SETTING(NAME, TYPE, FIELD)                                                      \
  cublasStatus_t cublasSet##NAME(cublasHandle_t handle, TYPE value) {                              \
    if (!handle)                                                                                   \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    handle->FIELD = value;                                                                         \
    return CUBLAS_STATUS_SUCCESS;                                                                  \
  }                                                                                                \
  cublasStatus_t cublasGet##NAME(cublasHandle_t handle, TYPE *value) {                             \
    if (!handle)                                                                                   \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    *value = handle->FIELD;                                                                        \
    return CUBLAS_STATUS_SUCCESS;                                                                  \
  }
COURSE_CPU_SETTING(Stream, cudaStream_t, stream)
COURSE_CPU_SETTING(PointerMode, cublasPointerMode_t, pointer_mode)
COURSE_CPU_SETTING(MathMode, cublasMath_t, math_mode)
#undef COURSE_CPU_SETTING

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
    return queue(handle, __func__, {a, b, c}, [=] {                                                \
      note_matrix(Use::read, a, op_a == CUBLAS_OP_N ? m : k, op_a == CUBLAS_OP_N ? k : m, lda);    \
      note_matrix(Use::read, b, op_b == CUBLAS_OP_N ? k : n, op_b == CUBLAS_OP_N ? n : k, ldb);    \
      note_matrix(Use::write, c, m, n, ldc);                                                       \
      cblas_##letter##gemm(CblasColMajor, transpose(op_a), transpose(op_b), m, n, k, scale_ab, a,  \
                           lda, b, ldb, scale_c, c, ldc);                                          \
    });                                                                                            \
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
    return queue(handle, __func__, {a, x, y}, [=] {                                                \
      note_matrix(Use::read, a, m, n, lda);                                                        \
      note_vector(Use::read, x, op == CUBLAS_OP_N ? n : m, incx);                                  \
      note_vector(Use::write, y, op == CUBLAS_OP_N ? m : n, incy);                                 \
      cblas_##letter##gemv(CblasColMajor, transpose(op), m, n, scale_x, a, lda, x, incx, scale_y,  \
                           y, incy);                                                               \
    });                                                                                            \
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
    return queue(handle, __func__, {x, y}, [=] {                                                   \
      note_vector(Use::read, x, n, incx);                                                          \
      note_vector(Use::write, y, n, incy);                                                         \
      cblas_##letter##axpy(n, scale, x, incx, y, incy);                                            \
    });                                                                                            \
  }                                                                                                \
                                                                                                   \
  cublasStatus_t cublas##LETTER##scal(cublasHandle_t handle, int n, const T *alpha, T *x,          \
                                      int incx) {                                                  \
    if (!handle)                                                                                   \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    if (!alpha)                                                                                    \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    if (n <= 0 || incx <= 0)                                                                       \
      return CUBLAS_STATUS_SUCCESS;                                                                \
    const Scalar<T> scale(handle, alpha);                                                          \
    return queue(handle, __func__, {x}, [=] {                                                      \
      note_vector(Use::write, x, n, incx);                                                         \
      cblas_##letter##scal(n, scale, x, incx);                                                     \
    });                                                                                            \
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
    return queue_result(handle, __func__, {x, y}, result, [=] {                                    \
      note_vector(Use::read, x, n, incx);                                                          \
      note_vector(Use::read, y, n, incy);                                                          \
      return cblas_##letter##dot(n, x, incx, y, incy);                                             \
    });                                                                                            \
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
    return queue_result(handle, __func__, {x}, result, [=] {                                       \
      note_vector(Use::read, x, n, incx);                                                          \
      return cblas_##letter##nrm2(n, x, incx);                                                     \
    });                                                                                            \
  }

COURSE_CPU_CUBLAS(S, s, float)
COURSE_CPU_CUBLAS(D, d, double)
#undef COURSE_CPU_CUBLAS
