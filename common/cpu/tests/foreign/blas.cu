// nvcc: -lcublas
// cuBLAS.
#include "parts.hpp"

#include <cmath>
#include <cstdio>
#include <cublas_v2.h>
#include <stdio.h>

// cuBLAS besides products: its own copies, transposes, batches.
namespace blas {
bool is_right() {
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
  return right;
}
} // namespace blas

// cuBLAS: LU decompositions of many matrices; products of halves.
namespace blas_more {
constexpr int n = 3, count = 2;

bool is_right() {
  // By columns. The first needs exchanges of rows; the second one is singular.
  const double before[count][n * n] = {{0, 2, 4, 1, 5, 3, 7, 6, 8}, {1, 2, 3, 2, 4, 6, 1, 1, 1}};
  double *a, **pointers = managed<double *>(count);
  int *pivots = managed<int>(count * n), *info = managed<int>(count);
  cudaMallocManaged(&a, sizeof before);
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

  // The same product of halves, into floats and into halves.
  __half *halves = managed<__half>(12);
  float *floats = managed<float>(4);
  for (int i = 0; i < 12; ++i)
    halves[i] = __float2half(i < 8 ? i + 1 : 1);
  for (int i = 0; i < 4; ++i)
    floats[i] = 1;
  const float alpha = 2, beta = 1;
  ok &= cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &alpha, halves, CUDA_R_16F, 2,
                     halves + 4, CUDA_R_16F, 2, &beta, floats, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F,
                     CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
  ok &= cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &alpha, halves, CUDA_R_16F, 2,
                     halves + 4, CUDA_R_16F, 2, &beta, halves + 8, CUDA_R_16F, 2,
                     CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP) == CUBLAS_STATUS_SUCCESS;
  ok &= cudaDeviceSynchronize() == cudaSuccess;

  const float expected[] = {53, 77, 61, 89}; // 2 left right^T + 1
  for (int i = 0; i < 4; ++i)
    ok &= floats[i] == expected[i] && __half2float(halves[8 + i]) == expected[i];
  cublasDestroy(handle);
  return ok;
}
} // namespace blas_more

// cuBLAS: products of halves, of bfloat16 and of 8-bit integers, alone and in batches; scalar
// products of halves.
namespace blas_types {
constexpr int m = 3, n = 2, k = 4, count = 5;

// Element i of array `which`: small integers, which all types hold.
static int value(int which, int i) { return (i * 7 + which * 3) % 9 - 4; }

// 2 A B^T + C of the batch's product `batch`.
static int expected(int batch, int row, int column) {
  int sum = value(2, batch * m * n + row + column * m);
  for (int i = 0; i < k; ++i)
    sum += 2 * value(0, batch * m * k + row + i * m) * value(1, batch * n * k + column + i * n);
  return sum;
}

template <class In, class Out, class Scale> struct Batch {
  In *a = managed<In>(count * m * k), *b = managed<In>(count * n * k),
     **of_a = managed<In *>(count), **of_b = managed<In *>(count);
  Out *c = managed<Out>(count * m * n), **of_c = managed<Out *>(count);
  Scale two = 2, one = 1;

  Batch() {
    for (int i = 0; i < count * m * k; ++i)
      a[i] = In(float(value(0, i)));
    for (int i = 0; i < count * n * k; ++i)
      b[i] = In(float(value(1, i)));
    for (int i = 0; i < count; ++i) {
      of_a[i] = a + i * m * k;
      of_b[i] = b + i * n * k;
      of_c[i] = c + i * m * n;
    }
  }

  // True if `multiply` returns 0 and gives the first `products` of the batch.
  template <class Multiply> bool gives(int products, const Multiply &multiply) {
    for (int i = 0; i < count * m * n; ++i)
      c[i] = Out(float(value(2, i)));
    bool right = multiply(*this) == CUBLAS_STATUS_SUCCESS;
    right = right && cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < products * m * n; ++i)
      right = right && float(c[i]) == float(expected(i / (m * n), i % m, i / m % n));
    return right;
  }

  ~Batch() {
    for (void *array : {(void *)a, (void *)b, (void *)c, (void *)of_a, (void *)of_b, (void *)of_c})
      cudaFree(array);
  }
  Batch(const Batch &) = delete;
  Batch &operator=(const Batch &) = delete;
};

template <class In, class Out, class Scale>
bool all_forms(cublasHandle_t handle, cudaDataType in, cudaDataType out,
               cublasComputeType_t compute) {
  Batch<In, Out, Scale> batch;
  bool right = batch.gives(1, [=](auto &x) {
    return cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &x.two, x.a, in, m, x.b, in, n,
                        &x.one, x.c, out, m, compute, CUBLAS_GEMM_DEFAULT);
  });
  right = right && batch.gives(count, [=](auto &x) {
    return cublasGemmBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &x.two,
                               (const void **)x.of_a, in, m, (const void **)x.of_b, in, n, &x.one,
                               (void **)x.of_c, out, m, count, compute, CUBLAS_GEMM_DEFAULT);
  });
  return right && batch.gives(count, [=](auto &x) {
    return cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &x.two, x.a, in, m,
                                      m * k, x.b, in, n, n * k, &x.one, x.c, out, m, m * n, count,
                                      compute, CUBLAS_GEMM_DEFAULT);
  });
}

// x y from the host's pointer and from the device's; y backwards, every other element of x.
template <class T> bool dots(cublasHandle_t handle, cudaDataType type, cudaDataType execution) {
  const int n = 3000;
  T *x, *y, *on_device, on_host;
  cudaMallocManaged(&x, 2 * n * sizeof *x);
  cudaMallocManaged(&y, n * sizeof *y);
  cudaMallocManaged(&on_device, sizeof *on_device);
  int sum = 0;
  for (int i = 0; i < 2 * n; ++i)
    x[i] = T(float(value(0, i)));
  for (int i = 0; i < n; ++i) {
    y[n - 1 - i] = T(float(i < 60 ? value(1, i) : 0));
    sum += i < 60 ? value(0, 2 * i) * value(1, i) : 0;
  }
  bool right = cublasDotEx(handle, n, x, type, 2, y, type, -1, &on_host, type, execution) ==
               CUBLAS_STATUS_SUCCESS;
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  right = right && cublasDotEx(handle, n, x, type, 2, y, type, -1, on_device, type, execution) ==
                       CUBLAS_STATUS_SUCCESS;
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  right = right && cudaDeviceSynchronize() == cudaSuccess;
  right = right && float(on_host) == sum && float(*on_device) == sum;
  cudaFree(x);
  cudaFree(y);
  cudaFree(on_device);
  return right;
}

bool is_right() {
  cublasHandle_t handle;
  bool right = cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS;
  right = right &&
          all_forms<__half, __half, __half>(handle, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
  right =
      right && all_forms<__half, float, float>(handle, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
  right = right && all_forms<__nv_bfloat16, __nv_bfloat16, float>(handle, CUDA_R_16BF, CUDA_R_16BF,
                                                                  CUBLAS_COMPUTE_32F);
  right = right &&
          all_forms<double, double, double>(handle, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);

  Batch<__half, __half, __half> halves;
  right = right && halves.gives(1, [=](auto &x) {
    return cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &x.two, x.a, m, x.b, n, &x.one,
                       x.c, m);
  });
  right = right && halves.gives(count, [=](auto &x) {
    return cublasHgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &x.two, x.of_a, m, x.of_b,
                              n, &x.one, x.of_c, m, count);
  });
  right = right && halves.gives(count, [=](auto &x) {
    return cublasHgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &x.two, x.a, m,
                                     m * k, x.b, n, n * k, &x.one, x.c, m, m * n, count);
  });

  right = right && dots<__half>(handle, CUDA_R_16F, CUDA_R_32F);
  right = right && dots<__nv_bfloat16>(handle, CUDA_R_16BF, CUDA_R_32F);
  right = right && dots<float>(handle, CUDA_R_32F, CUDA_R_32F);
  right = right && dots<double>(handle, CUDA_R_64F, CUDA_R_64F);

  // Integers: sums that a float does not hold. cuBLAS wants leading dimensions that are multiples
  // of 4.
  const int size = 4096;
  signed char *rows;
  int *sums, zero = 0, one = 1;
  cudaMallocManaged(&rows, 8 * size);
  cudaMallocManaged(&sums, 16 * sizeof *sums);
  for (int i = 0; i < 8 * size; ++i)
    rows[i] = i % size % 2 ? 127 : i / size % 4 + 100;
  right = right && cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 4, 4, size, &one, rows, CUDA_R_8I,
                                size, rows + 4 * size, CUDA_R_8I, size, &zero, sums, CUDA_R_32I, 4,
                                CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
  right = right && cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < 16; ++i)
    right = right && sums[i] == size / 2 * (127 * 127 + (i % 4 + 100) * (i / 4 + 100));
  cublasDestroy(handle);
  return right;
}
} // namespace blas_types

// cuBLAS by the names that its library has (public report v2-names).
namespace blas_v2_names {
bool is_right() {
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
  return y[0] == 5 && y[1] == 8;
}
} // namespace blas_v2_names

int main() {
  return run_parts({{"blas", blas::is_right},
                    {"blas_more", blas_more::is_right},
                    {"blas_types", blas_types::is_right},
                    {"blas_v2_names", blas_v2_names::is_right}});
}
