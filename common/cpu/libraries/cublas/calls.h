// Each cuBLAS call checks its arguments as cuBLAS does and queues the work on the handle's stream.
// An array that is shorter than its sizes and leading dimension require is refused and named; on a
// GPU such a call reads or writes past the end.
#pragma once

#include "cublas_v2.h"

#include "runtime/allocations.h"
#include "runtime/capture.h"
#include "runtime/libraries.h"
#include "runtime/runtime.h"

#include <algorithm>
#include <cblas.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
};

namespace course_cpu::blas {

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

// The error in an array, as a message; empty: none. The library would leave the array unnoticed.
inline std::string wrong_with(const char *function, const Operand &operand) {
  if (operand.bytes() == 0)
    return "";
  const Location place = locate(operand.array);
  std::string text = std::string(function) + ": " + operand.name;
  if (place.place == Place::pageable)
    return text +
           " is not an array in device memory: pass a pointer from cudaMalloc or cudaMallocManaged";
  if (place.size >= operand.bytes())
    return "";
  text += operand.rows == 1 || operand.columns == 1
              ? ", " + std::to_string(operand.rows * operand.columns) + " values"
              : ", " + std::to_string(operand.rows) + " rows and " +
                    std::to_string(operand.columns) + " columns with leading dimension " +
                    std::to_string(operand.leading);
  return text + ", takes " + std::to_string(operand.bytes()) + " bytes; its array has " +
         std::to_string(place.size) +
         "\nMatrices are stored column by column. Check the sizes of op(A), op(B) and C, and the " +
         "leading dimensions (the distance between two columns).";
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
inline void note_read(const Operand &operand) { for_each_column(operand, library_reads); }
inline void note_write(const Operand &operand) { for_each_column(operand, library_writes); }

// Queues `work` on a stream. An array that is too short, or that the host has, is a
// fault.
template <class Work>
cublasStatus_t queue(cudaStream_t stream, const char *function, Operands read, Operands written,
                     const Work &work) {
  if (standing_error() != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  for (const Operands &operands : {read, written})
    for (const Operand &operand : operands)
      if (const std::string message = wrong_with(function, operand); !message.empty()) {
        enqueue(stream, [message] {
          library_fault(message);
          set_sticky_error(cudaErrorIllegalAddress);
        });
        return CUBLAS_STATUS_SUCCESS; // the fault shows when somebody waits
      }
  enqueue(stream,
          [work, reads = std::vector<Operand>(read), writes = std::vector<Operand>(written)] {
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
  const cublasStatus_t status =
      queue(handle->stream, function, read, {scalar(handle, "the result", result)},
            [=] { *result = work(); });
  if (status != CUBLAS_STATUS_SUCCESS || handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
    return status;
  return cudaStreamSynchronize(handle->stream) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                              : CUBLAS_STATUS_EXECUTION_FAILED;
}

inline CBLAS_TRANSPOSE transpose(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? CblasNoTrans : CblasTrans;
}

// A call that this library does not have: NVIDIA's may have it.
inline cublasStatus_t not_supported(const char *function, const char *what) {
  std::fprintf(stderr, "%s: the CPU backend does not have %s\n", function, what);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

inline bool known(cublasOperation_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C; }

// True if a matrix with that many rows may have this leading dimension.
inline bool fits(int leading, int rows) { return leading >= std::max(1, rows); }

} // namespace course_cpu::blas
