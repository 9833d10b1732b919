#include <cstdio>
#include <cublas_v2.h>

int main() {
  float *x, result = 0;
  cudaMallocManaged(&x, 3 * sizeof *x);
  for (int i = 0; i < 3; ++i)
    x[i] = i + 1;
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSdot(handle, 3, x, 1, x, 1, &result);
  cublasDestroy(handle);
  std::printf("%g\n", result); // 14
  return 0;
}
