// expect: memcheck product
// A is stored by rows, 40 of them, and 10 columns; its leading dimension is that of 40.
#include "array.hpp"

#include <cublas_v2.h>

int main() {
  constexpr int m = 40, k = 10;
  double *a = array<double>(m * k, 0), *x = array<double>(k, 0), *y = array<double>(m, 0);
  cublasHandle_t handle;
  cublasCreate(&handle);
  const double one = 1;
#ifdef FIXED
  const int leading = k;
#else
  const int leading = m;
#endif
  cublasDgemv(handle, CUBLAS_OP_T, k, m, &one, a, leading, x, 1, &one, y, 1); // @product
  cudaDeviceSynchronize();
  cublasDestroy(handle);
  return 0;
}
