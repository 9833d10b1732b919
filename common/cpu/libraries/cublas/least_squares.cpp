// cublas<S, D, C, Z>gelsBatched: least squares of many small matrices by Householder's reflections.
#include "calls.h"

#include <cmath>
#include <complex>

using namespace course_cpu::blas;

namespace {

template <class T> T conjugate(T value) { return value; }
template <class T> std::complex<T> conjugate(std::complex<T> value) { return std::conj(value); }

// x . y, with the first one conjugated.
template <class T> T dot(const T *x, const T *y, int n) {
  T sum = 0;
  for (int i = 0; i < n; ++i)
    sum += conjugate(x[i]) * y[i];
  return sum;
}

// A = Q R in place, and C = Q^H C, then R X = C in the first n rows of C. Below R stand the vectors
// v of the reflections H = 1 - tau v v^H, whose first element, 1, is left out. Returns 0, or the
// first diagonal element of R, from 1, that is 0; then there is no X.
template <class T>
int solve(int m, int n, T *a, std::size_t lda, int right_sides, T *c, std::size_t ldc) {
  int first_zero = 0;
  for (int step = 0; step < n; ++step) {
    T *const x = a + step + step * lda; // H makes this column one of one element
    const int rows = m - step;
    const auto below = std::real(dot(x + 1, x + 1, rows - 1));
    auto size = std::sqrt(std::real(conjugate(*x) * *x) + below);
    if (size == 0) {
      first_zero = first_zero ? first_zero : step + 1;
      continue; // H = 1
    }
    T tau = 0;
    if (below != 0 || std::imag(*x) != 0) {
      size = std::real(*x) > 0 ? -size : size; // no digits are lost in x - size
      tau = (size - conjugate(*x)) / size;
      for (int i = 1; i < rows; ++i)
        x[i] /= *x - size;
      *x = size;
    }
    const auto reflect = [&](T *y) { // y = H y
      const T scale = tau * (*y + dot(x + 1, y + 1, rows - 1));
      *y -= scale;
      for (int i = 1; i < rows; ++i)
        y[i] -= scale * x[i];
    };
    for (int column = step + 1; column < n; ++column)
      reflect(a + step + column * lda);
    for (int column = 0; column < right_sides; ++column)
      reflect(c + step + column * ldc);
  }
  for (int column = 0; first_zero == 0 && column < right_sides; ++column)
    for (int row = n - 1; row >= 0; --row) {
      T &x = c[row + column * ldc];
      for (int known = row + 1; known < n; ++known)
        x -= a[row + known * lda] * c[known + column * ldc];
      x /= a[row + row * lda];
    }
  return first_zero;
}

// `info`, in host memory, is minus the number of the parameter that is wrong.
template <class T>
cublasStatus_t solve_all(cublasHandle_t handle, const char *function, cublasOperation_t op, int m,
                         int n, int right_sides, T *const a[], int lda, T *const c[], int ldc,
                         int *info, int *zeros, int count) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!info)
    return CUBLAS_STATUS_INVALID_VALUE;
  *info = !known(op)        ? -1
          : m < 0           ? -2
          : n < 0           ? -3
          : right_sides < 0 ? -4
          : !fits(lda, m)   ? -6
          : !fits(ldc, m)   ? -8
          : count < 0       ? -11
                            : 0;
  if (*info != 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (op != CUBLAS_OP_N || m < n) // nor has NVIDIA's
    return CUBLAS_STATUS_NOT_SUPPORTED;
  // The pointers lie in device memory: what is to write them has to be done.
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess)
    return CUBLAS_STATUS_EXECUTION_FAILED;
  for (int i = 0; i < count; ++i) {
    T *const its_a = a[i], *const its_c = c[i];
    const Operand matrix_a = matrix("A", its_a, m, n, lda);
    const Operand matrix_c = matrix("C", its_c, m, right_sides, ldc);
    const Operand zero = vector("devInfoArray", zeros + i, zeros != nullptr, 1);
    if (const auto status =
            queue(handle->stream, function, {matrix_a, matrix_c}, {matrix_a, matrix_c, zero}, [=] {
              const int first_zero = solve(m, n, its_a, lda, right_sides, its_c, ldc);
              if (zeros)
                zeros[i] = first_zero;
            }))
      return status;
  }
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace

#define COURSE_CPU_GELS(LETTER, T, NUMBER)                                                         \
  cublasStatus_t cublas##LETTER##gelsBatched(                                                      \
      cublasHandle_t handle, cublasOperation_t op, int m, int n, int right_sides, T *const a[],    \
      int lda, T *const c[], int ldc, int *info, int *zeros, int count) {                          \
    return solve_all(handle, __func__, op, m, n, right_sides,                                      \
                     reinterpret_cast<NUMBER *const *>(a), lda,                                    \
                     reinterpret_cast<NUMBER *const *>(c), ldc, info, zeros, count);               \
  }
COURSE_CPU_GELS(S, float, float)
COURSE_CPU_GELS(D, double, double)
COURSE_CPU_GELS(C, cuComplex, std::complex<float>)
COURSE_CPU_GELS(Z, cuDoubleComplex, std::complex<double>)
#undef COURSE_CPU_GELS
