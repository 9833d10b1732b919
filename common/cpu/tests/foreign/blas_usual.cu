// nvcc: -lcublas
// cuBLAS functions that public programs call and no lesson does, each with its result.
#include <cublas_v2.h>
#include <stdio.h>
#include <string.h>

static int wrong = 0;

static void check(const char *call, double found, double expected) {
  if (found != expected)
    printf("wrong: %s gives %g, expected %g\n", call, found, expected);
  wrong += found != expected;
}

// y = 2 x + y of two elements, and their scalar product with x.
template <class T, class Axpy, class Dot>
static void vectors(const char *name, cublasHandle_t handle, Axpy axpy, Dot dot) {
  const T two = 2;
  T *x, product = 0; // two elements of x, then two of y
  cudaMallocManaged(&x, 4 * sizeof(T));
  const T values[] = {1, 2, 3, 4};
  memcpy(x, values, sizeof values);
  check(name, axpy(handle, 2, &two, x, 1, x + 2, 1), CUBLAS_STATUS_SUCCESS);
  check(name, dot(handle, 2, x, 1, x + 2, 1, &product), CUBLAS_STATUS_SUCCESS);
  check(name, product, 1 * 5 + 2 * 8);
  cudaFree(x);
}

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  vectors<float>("Saxpy, Sdot", handle, cublasSaxpy, cublasSdot);
  vectors<double>("Daxpy, Ddot", handle, cublasDaxpy, cublasDdot);

  const float one = 1, none = 0;
  float *a, norm = 0,
            back[2] = {}; // a: a matrix of 2 x 2, by columns; after it a vector and a result
  cudaMallocManaged(&a, 8 * sizeof(float));
  const float values[] = {1, 2, 3, 4, 3, 4};
  memcpy(a, values, sizeof values);
  cublasSnrm2(handle, 2, a + 4, 1, &norm);
  check("Snrm2", norm, 5);
  cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &one, a, 2, a + 4, 1, &none, a + 6, 1);
  cudaDeviceSynchronize();
  check("Sgemv", a[6] * 100 + a[7], 15 * 100 + 22);
  cublasGetMatrix(1, 2, sizeof(float), a + 1, 2, back, 1); // its second row
  check("GetMatrix", back[0] * 10 + back[1], 24);
  cudaFree(a);

  const double unit = 1, zero = 0;
  double *numbers, **pointers; // products 2 * 5 and 3 * 7
  cudaMallocManaged(&numbers, 6 * sizeof(double));
  cudaMallocManaged(&pointers, 6 * sizeof(double *));
  const double factors[] = {2, 3, 5, 7};
  memcpy(numbers, factors, sizeof factors);
  for (int i = 0; i < 6; ++i)
    pointers[i] = numbers + i;
  cublasDgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &unit, pointers, 1, pointers + 2, 1,
                     &zero, pointers + 4, 1, 2);
  cudaDeviceSynchronize();
  check("DgemmBatched", numbers[4] * 100 + numbers[5], 1021);
  cudaFree(numbers);
  cudaFree(pointers);
  cublasDestroy(handle);
  puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
