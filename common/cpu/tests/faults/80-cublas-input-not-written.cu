// expect: initcheck product
// One factor of a product was never copied to the device. The result needs no value: beta is 0.
#include "array.hpp"

#include <cublas_v2.h>

int main() {
  constexpr int n = 20;
  float *a = array<float>(n * n, 0), *b = array<float>(n * n), *c = array<float>(n * n);
#ifdef FIXED
  cudaMemset(b, 0, n * n * sizeof(float));
#endif
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1, zero = 0;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, n, b, n, &zero, c, n); // @product
  cudaDeviceSynchronize();
  cublasDestroy(handle);
  return 0;
}
