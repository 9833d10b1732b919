// cuBLAS reads and writes in its stream.
#include "cases.hpp"

#include <cublas_v2.h>

// case cublas_input_not_written
// expect: initcheck product
// One factor of a product was never copied to the device. The result needs no value: beta is 0.
CASE(cublas_input_not_written) {
  constexpr int n = 20;
  float *a = array<float>(n * n, 0), *b = array<float>(n * n), *c = array<float>(n * n);
  if (fixed)
    cudaMemset(b, 0, n * n * sizeof(float));
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1, zero = 0;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, n, b, n, &zero, c, n); // @product
  cudaDeviceSynchronize();
  cublasDestroy(handle);
}

// case cublas_in_another_stream
// expect: racecheck fill norm
// The handle works in the default stream; the kernel in one that does not wait for it.
__global__ void fill(double *values) {
  values[threadIdx.x] = 1; // @fill
}

CASE(cublas_in_another_stream) {
  double *values = array<double>(32, 0);
  cudaDeviceSynchronize();
  Stream stream(cudaStreamNonBlocking);
  cublasHandle_t handle;
  cublasCreate(&handle);
  if (fixed)
    cublasSetStream(handle, stream);
  fill<<<1, 32, 0, stream>>>(values);
  double norm;
  cublasDnrm2(handle, 32, values, 1, &norm); // @norm
  cudaDeviceSynchronize();
  cublasDestroy(handle);
}

// case cublas_rows_for_columns
// expect: memcheck product
// A is stored by rows, 40 of them, and 10 columns; its leading dimension is that of 40.
CASE(cublas_rows_for_columns) {
  constexpr int m = 40, k = 10;
  double *a = array<double>(m * k, 0), *x = array<double>(k, 0), *y = array<double>(m, 0);
  cublasHandle_t handle;
  cublasCreate(&handle);
  const double one = 1;
  const int leading = fixed ? k : m;
  cublasDgemv(handle, CUBLAS_OP_T, k, m, &one, a, leading, x, 1, &one, y, 1); // @product
  cudaDeviceSynchronize();
  cublasDestroy(handle);
}
