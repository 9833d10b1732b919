// nvcc: -lcublas
// cuBLAS by the names that its library has (public report v2-names).
#include <cublas_v2.h>
#include <stdio.h>

int main() {
  cublasHandle_t handle;
  const double two = 2, x[] = {1, 2};
  double y[] = {3, 4}, *device;
  cudaMalloc(&device, 4 * sizeof(double));
  cublasCreate_v2(&handle);
  cublasSetVector(2, sizeof(double), x, 1, device, 1);
  cublasSetVector(2, sizeof(double), y, 1, device + 2, 1);
  cublasDaxpy_v2(handle, 2, &two, device, 1, device + 2, 1);
  cublasGetVector(2, sizeof(double), device + 2, 1, y, 1);
  cublasDestroy_v2(handle);
  puts(y[0] == 5 && y[1] == 8 ? "PASS" : "FAIL");
}
