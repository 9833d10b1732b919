// cuBLAS on matrices in host memory, for all devices together; here the host computes at once.
#pragma once

#include "cublas_v2.h"

#include <cstddef>

using cublasXtHandle_t = struct cublasXtContext *;

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int size);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *size);
cublasStatus_t cublasXtSgemm(cublasXtHandle_t handle, cublasOperation_t op_a,
                             cublasOperation_t op_b, std::size_t m, std::size_t n, std::size_t k,
                             const float *alpha, const float *a, std::size_t lda, const float *b,
                             std::size_t ldb, const float *beta, float *c, std::size_t ldc);
cublasStatus_t cublasXtDgemm(cublasXtHandle_t handle, cublasOperation_t op_a,
                             cublasOperation_t op_b, std::size_t m, std::size_t n, std::size_t k,
                             const double *alpha, const double *a, std::size_t lda, const double *b,
                             std::size_t ldb, const double *beta, double *c, std::size_t ldc);
