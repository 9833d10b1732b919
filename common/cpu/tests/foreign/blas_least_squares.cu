// nvcc: -lcublas
// cuBLAS: least squares of many matrices: residuals are orthogonal to the columns.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cublas_v2.h>
#include <type_traits>
#include <vector>

constexpr int m = 6, n = 3, right_sides = 2, lda = 7, ldc = 8, count = 4;

template <class T> T number(int i) {
  const double real = std::sin(1 + 2.7 * i), imaginary = std::cos(3 + 1.9 * i);
  if constexpr (std::is_floating_point_v<T>)
    return T(real);
  else
    return T(real, imaginary);
}

template <class T> T conjugate(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return value;
  else
    return std::conj(value);
}

template <class T> T *on_device(const std::vector<T> &values) {
  T *array;
  cudaMalloc(&array, values.size() * sizeof(T));
  cudaMemcpy(array, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return array;
}

// Of `solve`, a member of the family; Device is its type of numbers.
template <class T, class Device, class Solve>
bool solves(cublasHandle_t handle, double tolerance, const Solve &solve) {
  std::vector<T> a(count * lda * n), c(count * ldc * right_sides), x(c.size());
  for (int i = 0; i < int(a.size()); ++i)
    a[i] = number<T>(i);
  for (int i = 0; i < int(c.size()); ++i)
    c[i] = number<T>(-i);
  T *d_a = on_device(a), *d_c = on_device(c);
  std::vector<Device *> of_a, of_c;
  for (int i = 0; i < count; ++i) {
    of_a.push_back((Device *)(d_a + i * lda * n));
    of_c.push_back((Device *)(d_c + i * ldc * right_sides));
  }
  Device **d_of_a = on_device(of_a), **d_of_c = on_device(of_c);
  int info = 1, *zeros = on_device(std::vector<int>(count, 1));
  bool right = solve(handle, CUBLAS_OP_N, m, n, right_sides, d_of_a, lda, d_of_c, ldc, &info, zeros,
                     count) == CUBLAS_STATUS_SUCCESS;
  std::vector<int> of_zeros(count);
  cudaMemcpy(of_zeros.data(), zeros, count * sizeof(int), cudaMemcpyDeviceToHost);
  right = right && !cudaMemcpy(x.data(), d_c, x.size() * sizeof(T), cudaMemcpyDeviceToHost);
  right = right && info == 0 && of_zeros == std::vector<int>(count, 0);
  for (int matrix = 0; matrix < count; ++matrix)
    for (int side = 0; side < right_sides; ++side)
      for (int column = 0; column < n; ++column) {
        T sum = 0; // the conjugated column times the residual
        for (int row = 0; row < m; ++row) {
          const int in_c = matrix * ldc * right_sides + side * ldc;
          T residual = -c[in_c + row];
          for (int i = 0; i < n; ++i)
            residual += a[matrix * lda * n + i * lda + row] * x[in_c + i];
          sum += conjugate(a[matrix * lda * n + column * lda + row]) * residual;
        }
        right = right && std::abs(sum) < tolerance;
      }
  for (void *array : {(void *)d_a, (void *)d_c, (void *)d_of_a, (void *)d_of_c, (void *)zeros})
    cudaFree(array);
  return right;
}

int main() {
  cublasHandle_t handle;
  bool right = cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS;
  right = right && solves<float, float>(handle, 1e-5, cublasSgelsBatched);
  right = right && solves<double, double>(handle, 1e-13, cublasDgelsBatched);
  right = right && solves<std::complex<float>, cuComplex>(handle, 1e-5, cublasCgelsBatched);
  right = right && solves<std::complex<double>, cuDoubleComplex>(handle, 1e-13, cublasZgelsBatched);
  int info = 0;
  right = right && cublasSgelsBatched(handle, CUBLAS_OP_N, 2, 1, 1, nullptr, 1, nullptr, 2, &info,
                                      nullptr, 0) == CUBLAS_STATUS_INVALID_VALUE;
  cublasDestroy(handle);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
