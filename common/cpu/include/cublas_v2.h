// The part of cuBLAS that the CPU backend has, over a CBLAS. What is missing fails at compile time
// with its name. Matrices are in column order, as in cuBLAS.
#pragma once

#include "cuda_runtime_api.h"

// Others look whether NVIDIA's headers are there.
#define CUBLAS_V2_H_
#define CUBLAS_API_H_

#define CUBLAS_VERSION 120900

using cublasHandle_t = struct cublasContext *;

enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
};

enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasMath_t {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
};

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

#define COURSE_CPU_CUBLAS(LETTER, T)                                                               \
  /* C = alpha op(A) op(B) + beta C; op(A) is m x k, op(B) is k x n */                             \
  cublasStatus_t cublas##LETTER##gemm(                                                             \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc);     \
  /* y = alpha op(A) x + beta y; A is m x n */                                                     \
  cublasStatus_t cublas##LETTER##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,   \
                                      const T *alpha, const T *a, int lda, const T *x, int incx,   \
                                      const T *beta, T *y, int incy);                              \
  /* y = alpha x + y */                                                                            \
  cublasStatus_t cublas##LETTER##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x,    \
                                      int incx, T *y, int incy);                                   \
  /* x = alpha x */                                                                                \
  cublasStatus_t cublas##LETTER##scal(cublasHandle_t handle, int n, const T *alpha, T *x,          \
                                      int incx);                                                   \
  cublasStatus_t cublas##LETTER##dot(cublasHandle_t handle, int n, const T *x, int incx,           \
                                     const T *y, int incy, T *result);                             \
  cublasStatus_t cublas##LETTER##nrm2(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      T *result);

COURSE_CPU_CUBLAS(S, float)
COURSE_CPU_CUBLAS(D, double)
#undef COURSE_CPU_CUBLAS
