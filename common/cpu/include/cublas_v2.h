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
enum cublasMath_t {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
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

// Copies between host and device: of every incx-th element, and of columns.
cublasStatus_t cublasSetVector(int n, int element_bytes, const void *x, int incx, void *device_y,
                               int incy);
cublasStatus_t cublasGetVector(int n, int element_bytes, const void *device_x, int incx, void *y,
                               int incy);
cublasStatus_t cublasSetVectorAsync(int n, int element_bytes, const void *x, int incx,
                                    void *device_y, int incy, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int element_bytes, const void *device_x, int incx,
                                    void *y, int incy, cudaStream_t stream);
cublasStatus_t cublasSetMatrix(int rows, int columns, int element_bytes, const void *a, int lda,
                               void *device_b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int element_bytes, const void *device_a,
                               int lda, void *b, int ldb);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int element_bytes, const void *a,
                                    int lda, void *device_b, int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int element_bytes, const void *device_a,
                                    int lda, void *b, int ldb, cudaStream_t stream);

#define COURSE_CPU_CUBLAS(LETTER, LOWER, T)                                                        \
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
  /* y = x */                                                                                      \
  cublasStatus_t cublas##LETTER##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y,    \
                                      int incy);                                                   \
  /* the sum of absolute values; the index, from 1, of the largest of them */                      \
  cublasStatus_t cublas##LETTER##asum(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      T *result);                                                  \
  cublasStatus_t cublasI##LOWER##amax(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      int *result);                                                \
  /* C = alpha op(A) + beta op(B) */                                                               \
  cublasStatus_t cublas##LETTER##geam(                                                             \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,         \
      const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc);     \
  /* gemm of many matrices: of those that arrays in device memory point to, or at a stride */      \
  cublasStatus_t cublas##LETTER##gemmBatched(                                                      \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T *alpha, const T *const a[], int lda, const T *const b[], int ldb, const T *beta,     \
      T *const c[], int ldc, int count);                                                           \
  cublasStatus_t cublas##LETTER##gemmStridedBatched(                                               \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,  \
      const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb,                \
      long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int count);            \
  /* A = P L U for each of many n x n matrices, in place, with P's rows from 1; without P no row   \
   * is exchanged. info[i] is 0, or the first step whose pivot is 0. */                            \
  cublasStatus_t cublas##LETTER##getrfBatched(cublasHandle_t handle, int n, T *const a[], int lda, \
                                              int *pivots, int *info, int count);                  \
  cublasStatus_t cublas##LETTER##nrm2(cublasHandle_t handle, int n, const T *x, int incx,          \
                                      T *result);

COURSE_CPU_CUBLAS(S, s, float)
COURSE_CPU_CUBLAS(D, d, double)
#undef COURSE_CPU_CUBLAS

// gemm of types that are known at run time. A and B have the same: float, double, half, bfloat16,
// or 8-bit integers; C has it too, or, of the smaller ones, float, or 32-bit integers. The sums are
// computed in float, those of doubles and integers in double; COMPUTE_16F's in float, too, with
// alpha and beta as halves.
enum cublasComputeType_t {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
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
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                   cublasOperation_t op_b, int m, int n, int k, const void *alpha,
                                   const void *const a[], cudaDataType type_a, int lda,
                                   const void *const b[], cudaDataType type_b, int ldb,
                                   const void *beta, void *const c[], cudaDataType type_c, int ldc,
                                   int count, cublasComputeType_t compute,
                                   cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType type_a,
                                          int lda, long long stride_a, const void *b,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          const void *beta, void *c, cudaDataType type_c, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm);

// The older forms.
namespace course_cpu {
inline cublasComputeType_t compute_type(cudaDataType type) {
  return type == CUDA_R_32F   ? CUBLAS_COMPUTE_32F
         : type == CUDA_R_64F ? CUBLAS_COMPUTE_64F
         : type == CUDA_R_16F ? CUBLAS_COMPUTE_16F
                              : CUBLAS_COMPUTE_32I;
}
} // namespace course_cpu
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a,
                                   cublasOperation_t op_b, int m, int n, int k, const void *alpha,
                                   const void *a, cudaDataType type_a, int lda, const void *b,
                                   cudaDataType type_b, int ldb, const void *beta, void *c,
                                   cudaDataType type_c, int ldc, cudaDataType compute,
                                   cublasGemmAlgo_t algorithm) {
  return cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c,
                      type_c, ldc, course_cpu::compute_type(compute), algorithm);
}
inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void *alpha, const void *const a[],
                                          cudaDataType type_a, int lda, const void *const b[],
                                          cudaDataType type_b, int ldb, const void *beta,
                                          void *const c[], cudaDataType type_c, int ldc, int count,
                                          cudaDataType compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb,
                             beta, c, type_c, ldc, count, course_cpu::compute_type(compute),
                             algorithm);
}
inline cublasStatus_t
cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                           int m, int n, int k, const void *alpha, const void *a,
                           cudaDataType type_a, int lda, long long stride_a, const void *b,
                           cudaDataType type_b, int ldb, long long stride_b, const void *beta,
                           void *c, cudaDataType type_c, int ldc, long long stride_c, int count,
                           cudaDataType compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, stride_a, b,
                                    type_b, ldb, stride_b, beta, c, type_c, ldc, stride_c, count,
                                    course_cpu::compute_type(compute), algorithm);
}

// gemm of halves: the sums are computed in float.
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                           int m, int n, int k, const __half *alpha, const __half *a, int lda,
                           const __half *b, int ldb, const __half *beta, __half *c, int ldc);
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                  cublasOperation_t op_b, int m, int n, int k, const __half *alpha,
                                  const __half *const a[], int lda, const __half *const b[],
                                  int ldb, const __half *beta, __half *const c[], int ldc,
                                  int count);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k,
                                         const __half *alpha, const __half *a, int lda,
                                         long long stride_a, const __half *b, int ldb,
                                         long long stride_b, const __half *beta, __half *c, int ldc,
                                         long long stride_c, int count);

// dot of types that are known at run time, all three the same: float, double, half or bfloat16;
// `execution` is float, for doubles double.
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType type_x,
                           int incx, const void *y, cudaDataType type_y, int incy, void *result,
                           cudaDataType type_result, cudaDataType execution);

// Their names in NVIDIA's library, where the shorter ones are macros.
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasGetVersion_v2 cublasGetVersion
#define cublasSetStream_v2 cublasSetStream
#define cublasGetStream_v2 cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
#define cublasSgemv_v2 cublasSgemv
#define cublasDgemv_v2 cublasDgemv
#define cublasSaxpy_v2 cublasSaxpy
#define cublasDaxpy_v2 cublasDaxpy
#define cublasSscal_v2 cublasSscal
#define cublasDscal_v2 cublasDscal
#define cublasSdot_v2 cublasSdot
#define cublasDdot_v2 cublasDdot
#define cublasScopy_v2 cublasScopy
#define cublasDcopy_v2 cublasDcopy
#define cublasSasum_v2 cublasSasum
#define cublasDasum_v2 cublasDasum
#define cublasSnrm2_v2 cublasSnrm2
#define cublasDnrm2_v2 cublasDnrm2
#define cublasIsamax_v2 cublasIsamax
#define cublasIdamax_v2 cublasIdamax
