// nvcc: -lcublas
// cuBLAS as public programs call it.
#include "parts.hpp"

#include <cmath>
#include <cublas_v2.h>
#include <stdio.h>
#include <string.h>

static cublasHandle_t handle;

// Its own copies, and batches (NVIDIA's sample batchCUBLAS).
namespace batches {
bool is_right() {
  const int m = 3, n = 2;
  const float a[m * n] = {1, -2, 3, -4, 5, -7}, one = 1, none = 0;
  float *device, products[2 * m * m] = {};
  cudaMalloc(&device, 64 * sizeof(float));
  bool right = !cublasSetMatrix(m, n, sizeof(float), a, m, device, 8); // 8 rows in memory

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
  cudaFree(device);
  cudaFree(of_a);
  cudaFree(of_c);
  return right;
}
} // namespace batches

// LU decompositions of many matrices (NVIDIA's sample simpleCUBLAS_LU).
namespace decompositions {
constexpr int n = 3, count = 2;

bool is_right() {
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
  cudaFree(a);
  cudaFree(pointers);
  cudaFree(pivots);
  cudaFree(info);
  return ok;
}
} // namespace decompositions

// Products and scalar products of halves and of bfloat16 (HeCBench's blas-gemm and blas-dot).
namespace types {
constexpr int m = 3, n = 2, k = 4;

// Element i of array `which`: small integers, which all types hold.
static int value(int which, int i) { return (i * 7 + which * 3) % 9 - 4; }

template <class T> T *array(int which, int count) {
  T *values = managed<T>(count);
  for (int i = 0; i < count; ++i)
    values[i] = T(float(value(which, i)));
  return values;
}

// True if `multiply` returns 0 and makes c = 2 a b^T + c.
template <class In, class Out, class Multiply> bool product(const Multiply &multiply) {
  In *a = array<In>(0, m * k), *b = array<In>(1, n * k);
  Out *c = array<Out>(2, m * n);
  bool right = multiply(a, b, c) == CUBLAS_STATUS_SUCCESS;
  right = right && cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < m * n; ++i) {
    int sum = value(2, i);
    for (int step = 0; step < k; ++step)
      sum += 2 * value(0, i % m + step * m) * value(1, i / m + step * n);
    right = right && float(c[i]) == float(sum);
  }
  return right;
}

template <class In, class Out> bool gemm_ex(cudaDataType in, cudaDataType out) {
  const float two = 2, one = 1;
  return product<In, Out>([&](In *a, In *b, Out *c) {
    return cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &two, a, in, m, b, in, n, &one,
                        c, out, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  });
}

// x y from the host's pointer and from the device's; y backwards, every other element of x.
template <class T> bool dots(cudaDataType type, cudaDataType execution) {
  const int n = 3000;
  T *x = array<T>(0, 2 * n), *y = array<T>(1, n), *on_device = array<T>(0, 1), on_host;
  int sum = 0;
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
  return right;
}

bool is_right() {
  bool right = gemm_ex<__half, __half>(CUDA_R_16F, CUDA_R_16F);
  right = right && gemm_ex<__half, float>(CUDA_R_16F, CUDA_R_32F);
  right = right && gemm_ex<__nv_bfloat16, __nv_bfloat16>(CUDA_R_16BF, CUDA_R_16BF);
  right = right && gemm_ex<__nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_32F);
  right = right && gemm_ex<float, float>(CUDA_R_32F, CUDA_R_32F);
  right =
      right && product<__half, __half>([&](__half *a, __half *b, __half *c) {
        const __half two(2.0f), one(1.0f);
        return cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &two, a, m, b, n, &one, c, m);
      });
  right = right && dots<__half>(CUDA_R_16F, CUDA_R_32F);
  right = right && dots<__nv_bfloat16>(CUDA_R_16BF, CUDA_R_32F);
  right = right && dots<float>(CUDA_R_32F, CUDA_R_32F);
  right = right && dots<double>(CUDA_R_64F, CUDA_R_64F);
  return right;
}
} // namespace types

// Functions that no lesson calls, each with its result.
namespace usual {
static int wrong = 0;

static void check(const char *call, double found, double expected) {
  if (found != expected)
    printf("wrong: %s gives %g, expected %g\n", call, found, expected);
  wrong += found != expected;
}

// y = 2 x + y of two elements, and their scalar product with x.
template <class T, class Axpy, class Dot>
static void vectors(const char *name, Axpy axpy, Dot dot) {
  const T two = 2;
  T *x = managed<T>(4), product = 0; // two elements of x, then two of y
  const T values[] = {1, 2, 3, 4};
  memcpy(x, values, sizeof values);
  check(name, axpy(handle, 2, &two, x, 1, x + 2, 1), CUBLAS_STATUS_SUCCESS);
  check(name, dot(handle, 2, x, 1, x + 2, 1, &product), CUBLAS_STATUS_SUCCESS);
  check(name, product, 1 * 5 + 2 * 8);
}

bool is_right() {
  vectors<float>("Saxpy, Sdot", cublasSaxpy, cublasSdot);
  vectors<double>("Daxpy, Ddot", cublasDaxpy, cublasDdot);

  const float one = 1, none = 0;
  // A matrix of 2 x 2, by columns; after it a vector and a result.
  float *a = managed<float>(8), norm = 0, back[2] = {};
  const float values[] = {1, 2, 3, 4, 3, 4};
  memcpy(a, values, sizeof values);
  cublasSnrm2(handle, 2, a + 4, 1, &norm);
  check("Snrm2", norm, 5);
  cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &one, a, 2, a + 4, 1, &none, a + 6, 1);
  cudaDeviceSynchronize();
  check("Sgemv", a[6] * 100 + a[7], 15 * 100 + 22);
  cublasGetMatrix(1, 2, sizeof(float), a + 1, 2, back, 1); // its second row
  check("GetMatrix", back[0] * 10 + back[1], 24);

  const double unit = 1, zero = 0;
  double *numbers = managed<double>(6), **pointers = managed<double *>(6); // 2 * 5 and 3 * 7
  const double factors[] = {2, 3, 5, 7};
  memcpy(numbers, factors, sizeof factors);
  for (int i = 0; i < 6; ++i)
    pointers[i] = numbers + i;
  cublasDgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &unit, pointers, 1, pointers + 2, 1,
                     &zero, pointers + 4, 1, 2);
  cudaDeviceSynchronize();
  check("DgemmBatched", numbers[4] * 100 + numbers[5], 1021);
  return wrong == 0;
}
} // namespace usual

// The names that its library has (public report v2-names).
namespace v2_names {
bool is_right() {
  cublasHandle_t own;
  const double two = 2, x[] = {1, 2};
  double y[] = {3, 4}, *device;
  cudaMalloc(&device, 4 * sizeof(double));
  cublasCreate_v2(&own);
  cublasSetVector(2, sizeof(double), x, 1, device, 1);
  cublasSetVector(2, sizeof(double), y, 1, device + 2, 1);
  cublasDaxpy_v2(own, 2, &two, device, 1, device + 2, 1);
  cublasGetVector(2, sizeof(double), device + 2, 1, y, 1);
  cublasDestroy_v2(own);
  return y[0] == 5 && y[1] == 8;
}
} // namespace v2_names

int main() {
  cublasCreate(&handle);
  const int wrong = run_parts({{"batches", batches::is_right},
                               {"decompositions", decompositions::is_right},
                               {"types", types::is_right},
                               {"usual", usual::is_right},
                               {"v2_names", v2_names::is_right}});
  cublasDestroy(handle);
  return wrong;
}
