// The part of cuBLAS that the CPU backend has, over a CBLAS. What is missing fails at compile time
// with its name. Matrices are in column order, as in cuBLAS.
#pragma once

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

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
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

// Copies between host and device: of every incx-th element, and of columns.
cublasStatus_t cublasSetVector(int n, int element_bytes, const void *x, int incx, void *device_y,
                               int incy);
cublasStatus_t cublasGetVector(int n, int element_bytes, const void *device_x, int incx, void *y,
                               int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int element_bytes, const void *a, int lda,
                               void *device_b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int element_bytes, const void *device_a,
                               int lda, void *b, int ldb);

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
  cublasStatus_t cublas##LETTER##dot(cublasHandle_t handle, int n, const T *x, int incx,           \
                                     const T *y, int incy, T *result);                             \
  /* gemm of many matrices: those that arrays in device memory point to */                         \
  cublasStatus_t cublas##LETTER##gemmBatched(                                                      \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T *alpha, const T *const a[], int lda, const T *const b[], int ldb, const T *beta,     \
      T *const c[], int ldc, int count);                                                           \
  cublasStatus_t cublas##LETTER##nrm2(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      T *result);

COURSE_CPU_CUBLAS(S, float)
COURSE_CPU_CUBLAS(D, double)
#undef COURSE_CPU_CUBLAS

// A = P L U for each of many n x n matrices, in place, with P's rows from 1; without P no row is
// exchanged. info[i] is 0, or the first step whose pivot is 0.
cublasStatus_t cublasDgetrfBatched(cublasHandle_t handle, int n, double *const a[], int lda,
                                   int *pivots, int *info, int count);

// gemm of types that are known at run time. A and B have the same: half, bfloat16 or float; C has
// it too, or float. The sums are computed in float.
enum cublasComputeType_t {
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
enum cublasGemmAlgo_t {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
};

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void *alpha, const void *a,
                            cudaDataType type_a, int lda, const void *b, cudaDataType type_b,
                            int ldb, const void *beta, void *c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);

// gemm of halves: the sums are computed in float.
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                           int m, int n, int k, const __half *alpha, const __half *a, int lda,
                           const __half *b, int ldb, const __half *beta, __half *c, int ldc);

// dot of types that are known at run time, all three the same: float, double, half or bfloat16;
// `execution` is float, for doubles double.
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType type_x,
                           int incx, const void *y, cudaDataType type_y, int incy, void *result,
                           cudaDataType type_result, cudaDataType execution);

// Their names in NVIDIA's library, where the shorter ones are macros.
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
#define cublasSgemv_v2 cublasSgemv
#define cublasDgemv_v2 cublasDgemv
#define cublasSaxpy_v2 cublasSaxpy
#define cublasDaxpy_v2 cublasDaxpy
#define cublasSdot_v2 cublasSdot
#define cublasDdot_v2 cublasDdot
#define cublasSnrm2_v2 cublasSnrm2
#define cublasDnrm2_v2 cublasDnrm2
