// nvcc: -lcublas
// cuBLAS besides products: its own copies, and batches (NVIDIA's sample batchCUBLAS).
#include <cublas_v2.h>
#include <stdio.h>

int main() {
  const int m = 3, n = 2;
  const float a[m * n] = {1, -2, 3, -4, 5, -7}, one = 1, none = 0;
  float *device, products[2 * m * m] = {};
  cublasHandle_t handle;
  cudaMalloc(&device, 64 * sizeof(float));
  bool right = cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS;
  right = right && !cublasSetMatrix(m, n, sizeof(float), a, m, device, 8); // 8 rows in memory

  // The product of the matrix with itself, transposed, twice.
  float *c = device + 32;
  const float *matrices[] = {device, device}, **of_a;
  float *results[] = {c, c + m * m}, **of_c;
  cudaMalloc(&of_a, sizeof matrices);
  cudaMalloc(&of_c, sizeof results);
  cudaMemcpy(of_a, matrices, sizeof matrices, cudaMemcpyHostToDevice);
  cudaMemcpy(of_c, results, sizeof results, cudaMemcpyHostToDevice);
  right = right && !cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, m, n, &one, of_a, 8,
                                       of_a, 8, &none, of_c, m, 2);
  right = right && !cublasGetVector(2 * m * m, sizeof(float), c, 1, products, 1);
  for (int i = 0; i < 2 * m * m; ++i) {
    const int row = i % m, column = i % (m * m) / m;
    right = right && products[i] == a[row] * a[column] + a[row + m] * a[column + m];
  }
  cublasDestroy(handle);
  cudaFree(device);
  cudaFree(of_a);
  cudaFree(of_c);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
