// cuBLAS over a CBLAS: each call checks its arguments as cuBLAS does and queues the work on the
// handle's stream.
#include "cublas_v2.h"

#include "runtime/context.h"
#include "runtime/runtime.h"
#include "tools/tools.h"

#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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

// An array of a call: columns of `rows` elements, `leading` elements apart. A vector whose elements
// do not lie side by side has columns of one element.
struct Operand {
  const char *name;
  const void *array;
  std::size_t element, rows, columns, leading; // element: bytes of one

  std::size_t bytes() const {
    return rows == 0 || columns == 0 ? 0 : ((columns - 1) * leading + rows) * element;
  }
};

template <class T>
Operand matrix(const char *name, const T *a, int rows, int columns, int leading) {
  return {name, a, sizeof(T), std::size_t(rows), std::size_t(columns), std::size_t(leading)};
}

template <class T> Operand vector(const char *name, const T *x, int n, int increment) {
  if (std::abs(increment) == 1)
    return {name, x, sizeof(T), std::size_t(n), 1, std::size_t(n)};
  return {name, x, sizeof(T), 1, std::size_t(n), std::size_t(std::abs(increment))};
}

// A scalar in device memory.
template <class T> Operand scalar(cublasHandle_t handle, const char *name, const T *pointer) {
  return {name, pointer, sizeof(T), handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE, 1, 1};
}

// What is wrong with an array, as a message; empty: nothing. The library would step out of it
// unseen.
std::string wrong_with(const char *function, const Operand &operand) {
  if (operand.bytes() == 0)
    return "";
  const course_cpu::Location place = course_cpu::locate(operand.array);
  std::string text = std::string(function) + ": " + operand.name;
  if (place.place == course_cpu::Place::pageable)
    return text +
           " is no array in device memory: give it what cudaMalloc or cudaMallocManaged gave";
  if (place.size >= operand.bytes())
    return "";
  text += operand.rows == 1 || operand.columns == 1
              ? ", " + std::to_string(operand.rows * operand.columns) + " values"
              : ", " + std::to_string(operand.rows) + " rows and " +
                    std::to_string(operand.columns) + " columns with leading dimension " +
                    std::to_string(operand.leading);
  return text + ", takes " + std::to_string(operand.bytes()) + " bytes; its array has " +
         std::to_string(place.size) +
         "\nMatrices are stored by columns: are the sizes those of op(A)," +
         " op(B) and C, and the leading dimensions the distances of columns?";
}

using Operands = std::initializer_list<Operand>;

// Calls f(begin, bytes) for each piece of an array.
template <class F> void for_each_column(const Operand &operand, const F &f) {
  const char *column = static_cast<const char *>(operand.array);
  if (operand.bytes() > 0)
    for (std::size_t i = 0; i < operand.columns; ++i, column += operand.leading * operand.element)
      f(column, operand.rows * operand.element);
}

// The tools see a read, or a write, of the whole array: nobody sees the accesses of CBLAS.
void note_read(const Operand &operand) { for_each_column(operand, course_cpu::tools::taken); }
void note_write(const Operand &operand) { for_each_column(operand, course_cpu::tools::filled); }

// Queues `work` on the handle's stream. An array that is too short, or that the host has, is a
// fault.
template <class Work>
cublasStatus_t queue(cublasHandle_t handle, const char *function, Operands read, Operands written,
                     const Work &work) {
  if (course_cpu::standing_error() != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  for (const Operands &operands : {read, written})
    for (const Operand &operand : operands)
      if (const std::string message = wrong_with(function, operand); !message.empty()) {
        course_cpu::enqueue(handle->stream, [message] {
          if (!course_cpu::tools::kernel_ended(nullptr, message))
            std::fprintf(stderr, "error: %s\n", message.c_str());
          course_cpu::set_sticky_error(cudaErrorIllegalAddress);
        });
        return CUBLAS_STATUS_SUCCESS; // the fault shows when somebody waits
      }
  course_cpu::enqueue(handle->stream, [work, reads = std::vector<Operand>(read),
                                       writes = std::vector<Operand>(written)] {
    std::for_each(reads.begin(), reads.end(), note_read);
    work();
    std::for_each(writes.begin(), writes.end(), note_write);
  });
  return CUBLAS_STATUS_SUCCESS;
}

// The same for a function whose result is a scalar: with host pointers the host waits for it.
template <class T, class Work>
cublasStatus_t queue_result(cublasHandle_t handle, const char *function, Operands read, T *result,
                            const Work &work) {
  const cublasStatus_t status = queue(
      handle, function, read, {scalar(handle, "the result", result)}, [=] { *result = work(); });
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

// A = P L U, in place. Returns 0, or the first step, from 1, whose pivot is 0.
template <class T> int factorise(T *a, int n, std::size_t lda, int *pivots) {
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

// ---- copies between host and device: a vector's elements are rows of one element ----

static cublasStatus_t copied(cudaError_t error) {
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

#define COURSE_CPU_COPIES(NAME, KIND)                                                              \
  cublasStatus_t cublas##NAME##MatrixAsync(int rows, int columns, int bytes, const void *from,     \
                                           int lda, void *to, int ldb, cudaStream_t stream) {      \
    if (rows < 0 || columns < 0 || bytes <= 0 || !fits(lda, rows) || !fits(ldb, rows))             \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    const std::size_t size = bytes;                                                                \
    return copied(                                                                                 \
        cudaMemcpy2DAsync(to, ldb * size, from, lda * size, rows * size, columns, KIND, stream));  \
  }                                                                                                \
  cublasStatus_t cublas##NAME##Matrix(int rows, int columns, int bytes, const void *from, int lda, \
                                      void *to, int ldb) {                                         \
    const auto status =                                                                            \
        cublas##NAME##MatrixAsync(rows, columns, bytes, from, lda, to, ldb, nullptr);              \
    return status ? status : copied(cudaStreamSynchronize(nullptr));                               \
  }                                                                                                \
  cublasStatus_t cublas##NAME##VectorAsync(int n, int bytes, const void *x, int incx, void *y,     \
                                           int incy, cudaStream_t stream) {                        \
    if (incx == 1 && incy == 1)                                                                    \
      return cublas##NAME##MatrixAsync(n, 1, bytes, x, n, y, n, stream);                           \
    return cublas##NAME##MatrixAsync(1, n, bytes, x, incx, y, incy, stream);                       \
  }                                                                                                \
  cublasStatus_t cublas##NAME##Vector(int n, int bytes, const void *x, int incx, void *y,          \
                                      int incy) {                                                  \
    const auto status = cublas##NAME##VectorAsync(n, bytes, x, incx, y, incy, nullptr);            \
    return status ? status : copied(cudaStreamSynchronize(nullptr));                               \
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
    return queue(handle, __func__,                                                                 \
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
    return queue(handle, __func__,                                                                 \
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
    return queue(handle, __func__, {whole_x, whole_y, scalar(handle, "alpha", alpha)}, {whole_y},  \
                 [=] { cblas_##letter##axpy(n, scale, x, incx, y, incy); });                       \
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
    const Operand whole_x = vector("x", x, n, incx);                                               \
    return queue(handle, __func__, {whole_x, scalar(handle, "alpha", alpha)}, {whole_x},           \
                 [=] { cblas_##letter##scal(n, scale, x, incx); });                                \
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
                        result, [=] { return cblas_##letter##dot(n, x, incx, y, incy); });         \
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
  cublasStatus_t cublas##LETTER##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y,    \
                                      int incy) {                                                  \
    if (!handle)                                                                                   \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    if (n <= 0)                                                                                    \
      return CUBLAS_STATUS_SUCCESS;                                                                \
    return queue(handle, __func__, {vector("x", x, n, incx)}, {vector("y", y, n, incy)},           \
                 [=] { cblas_##letter##copy(n, x, incx, y, incy); });                              \
  }                                                                                                \
                                                                                                   \
  cublasStatus_t cublas##LETTER##asum(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      T *result) {                                                 \
    if (!handle)                                                                                   \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    if (!result)                                                                                   \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    if (n <= 0 || incx <= 0)                                                                       \
      return queue_result(handle, __func__, {}, result, [] { return T(0); });                      \
    return queue_result(handle, __func__, {vector("x", x, n, incx)}, result,                       \
                        [=] { return cblas_##letter##asum(n, x, incx); });                         \
  }                                                                                                \
                                                                                                   \
  cublasStatus_t cublasI##letter##amax(cublasHandle_t handle, int n, const T *x, int incx,         \
                                       int *result) {                                              \
    if (!handle)                                                                                   \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    if (!result)                                                                                   \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    if (n <= 0 || incx <= 0)                                                                       \
      return queue_result(handle, __func__, {}, result, [] { return 0; });                         \
    return queue_result(handle, __func__, {vector("x", x, n, incx)}, result,                       \
                        [=] { return int(cblas_i##letter##amax(n, x, incx)) + 1; });               \
  }                                                                                                \
                                                                                                   \
  cublasStatus_t cublas##LETTER##geam(                                                             \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,         \
      const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc) {    \
    if (!handle)                                                                                   \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    const bool plain_a = op_a == CUBLAS_OP_N, plain_b = op_b == CUBLAS_OP_N;                       \
    if (!known(op_a) || !known(op_b) || m < 0 || n < 0 || !alpha || !beta || !fits(ldc, m) ||      \
        !fits(lda, plain_a ? m : n) || !fits(ldb, plain_b ? m : n))                                \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    const Scalar<T> scale_a(handle, alpha), scale_b(handle, beta);                                 \
    const Operand whole_a = matrix("A", a, plain_a ? m : n, plain_a ? n : m, lda);                 \
    const Operand whole_b = matrix("B", b, plain_b ? m : n, plain_b ? n : m, ldb);                 \
    Operand no_a = whole_a, no_b = whole_b; /* what is scaled by 0 is not read */                  \
    no_a.columns = no_b.columns = 0;                                                               \
    const bool device = handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;                        \
    return queue(                                                                                  \
        handle, __func__,                                                                          \
        {device || scale_a != T(0) ? whole_a : no_a, device || scale_b != T(0) ? whole_b : no_b},  \
        {matrix("C", c, m, n, ldc)}, [=] {                                                         \
          const T of_a = scale_a, of_b = scale_b;                                                  \
          for (std::size_t j = 0; j < std::size_t(n); ++j)                                         \
            for (std::size_t i = 0; i < std::size_t(m); ++i) {                                     \
              T sum = 0;                                                                           \
              if (of_a != T(0))                                                                    \
                sum += of_a * (plain_a ? a[i + j * lda] : a[j + i * lda]);                         \
              if (of_b != T(0))                                                                    \
                sum += of_b * (plain_b ? b[i + j * ldb] : b[j + i * ldb]);                         \
              c[i + j * ldc] = sum;                                                                \
            }                                                                                      \
        });                                                                                        \
  }                                                                                                \
                                                                                                   \
  cublasStatus_t cublas##LETTER##gemmStridedBatched(                                               \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb,                \
      long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int count) {           \
    if (count < 0)                                                                                 \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    for (int i = 0; i < count; ++i)                                                                \
      if (const auto status =                                                                      \
              cublas##LETTER##gemm(handle, op_a, op_b, m, n, k, alpha, a + i * stride_a, lda,      \
                                   b + i * stride_b, ldb, beta, c + i * stride_c, ldc))            \
        return status;                                                                             \
    return CUBLAS_STATUS_SUCCESS;                                                                  \
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

template <class T>
static cublasStatus_t factorise_all(cublasHandle_t handle, const char *function, int n,
                                    T *const a[], int lda, int *pivots, int *info, int count) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n < 0 || count < 0 || !fits(lda, n))
    return CUBLAS_STATUS_INVALID_VALUE;
  // The pointers lie in device memory: what is to write them has to be done.
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  for (int i = 0; i < count; ++i) {
    T *const its = a[i];
    int *const its_pivots = pivots ? pivots + std::ptrdiff_t(i) * n : nullptr;
    const Operand matrix_a = matrix("A", its, n, n, lda);
    const Operand rows = vector("the pivots", its_pivots, pivots ? n : 0, 1);
    if (const auto status =
            queue(handle, function, {matrix_a}, {matrix_a, rows, vector("info", info + i, 1, 1)},
                  [=] { info[i] = factorise(its, n, lda, its_pivots); }))
      return status;
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSgetrfBatched(cublasHandle_t handle, int n, float *const a[], int lda,
                                   int *pivots, int *info, int count) {
  return factorise_all(handle, "cublasSgetrfBatched", n, a, lda, pivots, info, count);
}
cublasStatus_t cublasDgetrfBatched(cublasHandle_t handle, int n, double *const a[], int lda,
                                   int *pivots, int *info, int count) {
  return factorise_all(handle, "cublasDgetrfBatched", n, a, lda, pivots, info, count);
}

// ---- products of halves ----

// Columns of halves as floats that lie side by side.
template <class Half>
static std::vector<float> widened(const Half *a, int rows, int columns, int leading) {
  std::vector<float> result(std::size_t(rows) * columns);
  for (int column = 0; column < columns; ++column)
    for (int row = 0; row < rows; ++row)
      result[row + std::size_t(column) * rows] =
          static_cast<float>(a[row + std::size_t(column) * leading]);
  return result;
}

template <class In, class Out>
static cublasStatus_t multiply_halves(cublasHandle_t handle, cublasOperation_t op_a,
                                      cublasOperation_t op_b, int m, int n, int k,
                                      const float *alpha, const In *a, int lda, const In *b,
                                      int ldb, const float *beta, Out *c, int ldc) {
  const bool a_as_is = op_a == CUBLAS_OP_N, b_as_is = op_b == CUBLAS_OP_N;
  const int a_rows = a_as_is ? m : k, b_rows = b_as_is ? k : n;
  const int a_columns = a_as_is ? k : m, b_columns = b_as_is ? n : k;
  if (!known(op_a) || !known(op_b) || m < 0 || n < 0 || k < 0 || !fits(lda, a_rows) ||
      !fits(ldb, b_rows) || !fits(ldc, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  const Scalar<float> scale(handle, alpha), keep(handle, beta);
  return queue(handle, "cublasGemmEx",
               {matrix("A", a, a_rows, a_columns, lda), matrix("B", b, b_rows, b_columns, ldb),
                scalar(handle, "alpha", alpha), scalar(handle, "beta", beta)},
               {matrix("C", c, m, n, ldc)}, [=] {
                 const auto of_a = widened(a, a_rows, a_columns, lda);
                 const auto of_b = widened(b, b_rows, b_columns, ldb);
                 std::vector<float> of_c(std::size_t(m) * n);
                 if (keep != 0) // else C may hold anything
                   of_c = widened(c, m, n, ldc);
                 cblas_sgemm(CblasColMajor, transpose(op_a), transpose(op_b), m, n, k, scale,
                             of_a.data(), std::max(1, a_rows), of_b.data(), std::max(1, b_rows),
                             keep, of_c.data(), std::max(1, m));
                 for (int column = 0; column < n; ++column)
                   for (int row = 0; row < m; ++row)
                     c[row + std::size_t(column) * ldc] =
                         static_cast<Out>(of_c[row + std::size_t(column) * m]);
               });
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void *alpha, const void *a,
                            cudaDataType type_a, int lda, const void *b, cudaDataType type_b,
                            int ldb, const void *beta, void *c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (type_a != type_b || compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_32I)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool in_double = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  if (in_double && type_a == CUDA_R_64F && type_c == CUDA_R_64F)
    return cublasDgemm(handle, op_a, op_b, m, n, k, static_cast<const double *>(alpha),
                       static_cast<const double *>(a), lda, static_cast<const double *>(b), ldb,
                       static_cast<const double *>(beta), static_cast<double *>(c), ldc);
  if (in_double)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto *scale = static_cast<const float *>(alpha), *keep = static_cast<const float *>(beta);
  if (type_a == CUDA_R_32F && type_c == CUDA_R_32F)
    return cublasSgemm(handle, op_a, op_b, m, n, k, scale, static_cast<const float *>(a), lda,
                       static_cast<const float *>(b), ldb, keep, static_cast<float *>(c), ldc);
  const auto of_halves = [&](auto *in, auto *out) {
    using In = std::remove_pointer_t<decltype(in)>;
    return multiply_halves(handle, op_a, op_b, m, n, k, scale, static_cast<const In *>(a), lda,
                           static_cast<const In *>(b), ldb, keep, static_cast<decltype(out)>(c),
                           ldc);
  };
  __half *const half = nullptr;
  __nv_bfloat16 *const bfloat16 = nullptr;
  float *const full = nullptr;
  if (type_a == CUDA_R_16F && (type_c == CUDA_R_16F || type_c == CUDA_R_32F))
    return type_c == CUDA_R_16F ? of_halves(half, half) : of_halves(half, full);
  if (type_a == CUDA_R_16BF && (type_c == CUDA_R_16BF || type_c == CUDA_R_32F))
    return type_c == CUDA_R_16BF ? of_halves(bfloat16, bfloat16) : of_halves(bfloat16, full);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
