// nvcc: -lcublas
// cuBLAS: LU decompositions of many matrices (NVIDIA's sample simpleCUBLAS_LU).
#include <cmath>
#include <cstdio>
#include <cublas_v2.h>

constexpr int n = 3, count = 2;

int main() {
  // By columns. The first needs exchanges of rows; the second one is singular.
  const double before[count][n * n] = {{0, 2, 4, 1, 5, 3, 7, 6, 8}, {1, 2, 3, 2, 4, 6, 1, 1, 1}};
  double *a, **pointers;
  int *pivots, *info;
  cudaMallocManaged(&a, sizeof before);
  cudaMallocManaged(&pointers, count * sizeof *pointers);
  cudaMallocManaged(&pivots, count * n * sizeof *pivots);
  cudaMallocManaged(&info, count * sizeof *info);
  cudaMemcpy(a, before, sizeof before, cudaMemcpyHostToDevice);
  for (int i = 0; i < count; ++i)
    pointers[i] = a + i * n * n;
  cublasHandle_t handle;
  cublasCreate(&handle);
  bool ok =
      cublasDgetrfBatched(handle, n, pointers, n, pivots, info, count) == CUBLAS_STATUS_SUCCESS;
  ok &= cudaDeviceSynchronize() == cudaSuccess && info[0] == 0 && info[1] > 0;

  // Rows of L U are rows of A, exchanged as the pivots say.
  double product[n][n], exchanged[n][n];
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      exchanged[row][column] = before[0][row + column * n];
      product[row][column] = 0;
      for (int k = 0; k <= row && k <= column; ++k)
        product[row][column] += (k == row ? 1 : a[row + k * n]) * a[k + column * n];
    }
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      const double swapped = exchanged[row][column];
      exchanged[row][column] = exchanged[pivots[row] - 1][column];
      exchanged[pivots[row] - 1][column] = swapped;
    }
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column)
      ok &= std::fabs(product[row][column] - exchanged[row][column]) < 1e-12;
  cublasDestroy(handle);
  cudaFree(a);
  cudaFree(pointers);
  cudaFree(pivots);
  cudaFree(info);
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
