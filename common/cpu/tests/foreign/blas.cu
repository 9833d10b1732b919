// nvcc: -lcublas
// cuBLAS besides products: its own copies, transposes, batches.
#include <cublas_v2.h>
#include <stdio.h>

int main() {
  const int m = 3, n = 2;
  const float a[m * n] = {1, -2, 3, -4, 5, -7}, one = 1, none = 0;
  float *device, back[m * n] = {}, sum = 0;
  int largest = 0;
  cublasHandle_t handle;
  cudaMalloc(&device, 64 * sizeof(float));
  bool right = cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS;
  right = right && !cublasSetMatrix(m, n, sizeof(float), a, m, device, 8); // 8 rows in memory
  right = right && !cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, m, &one, device, 8, &none,
                                nullptr, n, device + 16, n);
  right = right && !cublasGetVector(m * n, sizeof(float), device + 16, 1, back, 1);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      right = right && back[j + i * n] == a[i + j * m];
  right = right && !cublasSasum(handle, m * n, device + 16, 1, &sum) && sum == 22;
  right = right && !cublasIsamax(handle, m * n, device + 16, 1, &largest) && largest == 6;

  // The products of the matrix with itself, transposed, twice: at a stride, and by pointers.
  float *c = device + 32, twice[18] = {}, again[18] = {};
  right = right && !cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, m, n, &one,
                                              device, 8, 0, device, 8, 0, &none, c, m, m * m, 2);
  right = right && !cublasGetVector(18, sizeof(float), c, 1, twice, 1);
  const float *matrices[] = {device, device}, **of_a;
  float *results[] = {c, c + m * m}, **of_c;
  cudaMalloc(&of_a, sizeof matrices);
  cudaMalloc(&of_c, sizeof results);
  cudaMemcpy(of_a, matrices, sizeof matrices, cudaMemcpyHostToDevice);
  cudaMemcpy(of_c, results, sizeof results, cudaMemcpyHostToDevice);
  cudaMemset(c, 0, 18 * sizeof(float));
  right = right && !cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, m, n, &one, of_a, 8,
                                       of_a, 8, &none, of_c, m, 2);
  right = right && !cublasGetVector(18, sizeof(float), c, 1, again, 1);
  for (int i = 0; i < 18; ++i) {
    const int row = i % m, column = i % (m * m) / m;
    const float exact = a[row] * a[column] + a[row + m] * a[column + m];
    right = right && twice[i] == exact && again[i] == exact;
  }
  cublasDestroy(handle);
  cudaFree(device);
  cudaFree(of_a);
  cudaFree(of_c);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
