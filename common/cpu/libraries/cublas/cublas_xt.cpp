// The cuBLASXt functions that the CPU backend has.
#include "cublasXt.h"

#include <cblas.h>

struct cublasXtContext {
  int block = 2048; // kept, and without effect
};

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasXtContext;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  delete handle;
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]) {
  int known = 0;
  if (!handle || cudaGetDeviceCount(&known) != cudaSuccess)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  for (int i = 0; i < count; ++i)
    if (devices[i] < 0 || devices[i] >= known)
      return CUBLAS_STATUS_INVALID_VALUE;
  return count > 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int size) {
  if (!handle || size <= 0)
    return handle ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_NOT_INITIALIZED;
  handle->block = size;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *size) {
  if (!handle || !size)
    return handle ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_NOT_INITIALIZED;
  *size = handle->block;
  return CUBLAS_STATUS_SUCCESS;
}

#define COURSE_CPU_GEMM(LETTER, LOWER, T)                                                          \
  cublasStatus_t cublasXt##LETTER##gemm(                                                           \
      cublasXtHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, std::size_t m,      \
      std::size_t n, std::size_t k, const T *alpha, const T *a, std::size_t lda, const T *b,       \
      std::size_t ldb, const T *beta, T *c, std::size_t ldc) {                                     \
    if (!handle)                                                                                   \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                                        \
    const bool a_as_is = op_a == CUBLAS_OP_N, b_as_is = op_b == CUBLAS_OP_N;                       \
    if (lda < (a_as_is ? m : k) || ldb < (b_as_is ? k : n) || ldc < m)                             \
      return CUBLAS_STATUS_INVALID_VALUE;                                                          \
    cblas_##LOWER##gemm(CblasColMajor, a_as_is ? CblasNoTrans : CblasTrans,                        \
                        b_as_is ? CblasNoTrans : CblasTrans, int(m), int(n), int(k), *alpha, a,    \
                        int(lda), b, int(ldb), *beta, c, int(ldc));                                \
    return CUBLAS_STATUS_SUCCESS;                                                                  \
  }
COURSE_CPU_GEMM(S, s, float)
COURSE_CPU_GEMM(D, d, double)
#undef COURSE_CPU_GEMM
