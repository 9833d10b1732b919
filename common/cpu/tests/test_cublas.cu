// cuBLAS against loops, in both precisions.
#include "cuda_test.hpp"

#include <catch2/catch_template_test_macros.hpp>
#include <cublas_v2.h>

#include <cmath>
#include <limits>

namespace {

// One name for both types.
template <class T> constexpr auto &gemm = cublasSgemm;
template <> constexpr auto &gemm<double> = cublasDgemm;
template <class T> constexpr auto &gemv = cublasSgemv;
template <> constexpr auto &gemv<double> = cublasDgemv;
template <class T> constexpr auto &axpy = cublasSaxpy;
template <> constexpr auto &axpy<double> = cublasDaxpy;
template <class T> constexpr auto &dot = cublasSdot;
template <> constexpr auto &dot<double> = cublasDdot;
template <class T> constexpr auto &nrm2 = cublasSnrm2;
template <> constexpr auto &nrm2<double> = cublasDnrm2;

class Handle {
public:
  Handle() { REQUIRE(cublasCreate(&handle_) == CUBLAS_STATUS_SUCCESS); }
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;
  ~Handle() { cublasDestroy(handle_); }
  operator cublasHandle_t() const { return handle_; }

private:
  cublasHandle_t handle_ = nullptr;
};

// Whole numbers so small that every sum of this file is exact in both types.
template <class T> std::vector<T> numbers(std::size_t n, int offset) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<T>((static_cast<int>(i) * 7 + offset) % 11 - 5);
  return values;
}

// Element (row, column) of op(A), where A has columns of `ld` elements.
template <class T>
T element(const std::vector<T> &a, int ld, cublasOperation_t op, int row, int column) {
  return op == CUBLAS_OP_N ? a[row + std::size_t(column) * ld] : a[column + std::size_t(row) * ld];
}

} // namespace

TEMPLATE_TEST_CASE("cublas: gemm with every pair of transposes", "", float, double) {
  using T = TestType;
  constexpr int m = 7, n = 5, k = 9, ld = 12;
  const Handle handle;
  const std::vector<T> a = numbers<T>(ld * ld, 1), b = numbers<T>(ld * ld, 4);
  const std::vector<T> c = numbers<T>(ld * n, 6);
  const T alpha = 2, beta = -3;
  for (cublasOperation_t op_a : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
    for (cublasOperation_t op_b : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      CAPTURE(op_a, op_b);
      DeviceArray<T> da(a), db(b), dc(c);
      REQUIRE(gemm<T>(handle, op_a, op_b, m, n, k, &alpha, da.data(), ld, db.data(), ld, &beta,
                      dc.data(), ld) == CUBLAS_STATUS_SUCCESS);
      const std::vector<T> found = dc.host();
      int wrong = 0;
      for (int column = 0; column < n; ++column)
        for (int row = 0; row < ld; ++row) {
          T expected = c[row + column * ld]; // rows from m on stay as they are
          if (row < m) {
            expected *= beta;
            for (int i = 0; i < k; ++i)
              expected += alpha * element(a, ld, op_a, row, i) * element(b, ld, op_b, i, column);
          }
          wrong += found[row + column * ld] != expected;
        }
      CHECK(wrong == 0);
    }
}

TEMPLATE_TEST_CASE("cublas: gemv", "", float, double) {
  using T = TestType;
  constexpr int m = 6, n = 4, ld = 8;
  const Handle handle;
  const std::vector<T> a = numbers<T>(ld * n, 2), x = numbers<T>(m, 3), y = numbers<T>(m, 8);
  const T alpha = 3, beta = 2;
  for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    CAPTURE(op);
    const int rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m;
    DeviceArray<T> da(a), dx(x), dy(y);
    REQUIRE(gemv<T>(handle, op, m, n, &alpha, da.data(), ld, dx.data(), 1, &beta, dy.data(), 1) ==
            CUBLAS_STATUS_SUCCESS);
    const std::vector<T> found = dy.host();
    for (int row = 0; row < m; ++row) {
      T expected = y[row];
      if (row < rows) {
        expected *= beta;
        for (int i = 0; i < columns; ++i)
          expected += alpha * element(a, ld, op, row, i) * x[i];
      }
      CHECK(found[row] == expected);
    }
  }
}

TEMPLATE_TEST_CASE("cublas: with beta = 0 the result needs no value", "", float, double) {
  using T = TestType;
  constexpr int m = 33, n = 17, k = 9;
  const Handle handle;
  const std::vector<T> a = numbers<T>(m * k, 1), b = numbers<T>(k * n, 4);
  const T nan = std::numeric_limits<T>::quiet_NaN(), alpha = 2, zero = 0;
  DeviceArray<T> da(a), db(b), dc(m * n, nan), dy(m, nan);
  REQUIRE(gemm<T>(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &alpha, da.data(), m, db.data(), k,
                  &zero, dc.data(), m) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(gemv<T>(handle, CUBLAS_OP_N, m, k, &alpha, da.data(), m, db.data(), 1, &zero, dy.data(),
                  1) == CUBLAS_STATUS_SUCCESS);
  const std::vector<T> c = dc.host(), y = dy.host();
  int wrong = 0;
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      T expected = 0;
      for (int i = 0; i < k; ++i)
        expected += alpha * a[row + i * m] * b[i + column * k];
      wrong += !(c[row + column * m] == expected);
      wrong += column == 0 && !(y[row] == expected);
    }
  CHECK(wrong == 0);
}

TEMPLATE_TEST_CASE("cublas: vectors of every other element, and backwards", "", float, double) {
  using T = TestType;
  constexpr int n = 5;
  const Handle handle;
  DeviceArray<T> x(numbers<T>(2 * n - 1, 1)), y(numbers<T>(n, 3));
  const T alpha = 1;
  REQUIRE(axpy<T>(handle, n, &alpha, x.data(), 2, y.data(), -1) == CUBLAS_STATUS_SUCCESS);
  const std::vector<T> found = y.host(), from = numbers<T>(2 * n - 1, 1), to = numbers<T>(n, 3);
  for (int i = 0; i < n; ++i)
    CHECK(found[n - 1 - i] == from[2 * i] + to[n - 1 - i]);
}

TEMPLATE_TEST_CASE("cublas: nothing to do", "", float, double) {
  using T = TestType;
  const Handle handle;
  const T one = 1, three = 3;
  DeviceArray<T> c(6, T(5));
  T result = 7;
  REQUIRE(dot<T>(handle, 0, c.data(), 1, c.data(), 1, &result) == CUBLAS_STATUS_SUCCESS);
  CHECK(result == 0);
  REQUIRE(nrm2<T>(handle, 0, c.data(), 1, &result) == CUBLAS_STATUS_SUCCESS);
  CHECK(result == 0);
  CHECK(gemm<T>(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 3, 2, &one, c.data(), 1, c.data(), 2, &one,
                c.data(), 1) == CUBLAS_STATUS_SUCCESS);
  // An empty sum: C = beta C.
  REQUIRE(gemm<T>(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 3, 0, &one, c.data(), 2, c.data(), 1, &three,
                  c.data(), 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(c.host() == std::vector<T>(6, T(15)));
}

TEMPLATE_TEST_CASE("cublas: vectors", "", float, double) {
  using T = TestType;
  constexpr int n = 1000;
  const Handle handle;
  const std::vector<T> x = numbers<T>(n, 1), y = numbers<T>(n, 5);
  DeviceArray<T> dx(x), dy(y);
  T expected_dot = 0, expected_square = 0;
  for (int i = 0; i < n; ++i) {
    expected_dot += x[i] * y[i];
    expected_square += x[i] * x[i];
  }
  T result = 0;
  REQUIRE(dot<T>(handle, n, dx.data(), 1, dy.data(), 1, &result) == CUBLAS_STATUS_SUCCESS);
  CHECK(result == expected_dot);
  REQUIRE(nrm2<T>(handle, n, dx.data(), 1, &result) == CUBLAS_STATUS_SUCCESS);
  CHECK(std::fabs(result * result - expected_square) < T(1e-5) * expected_square);

  const T alpha = 4;
  REQUIRE(axpy<T>(handle, n, &alpha, dx.data(), 1, dy.data(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(dy.host()[17] == 4 * x[17] + y[17]);
  REQUIRE(axpy<T>(handle, n / 2, &alpha, dx.data(), 2, dy.data(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(dy.host()[17] == 4 * x[34] + 4 * x[17] + y[17]);
}

TEMPLATE_TEST_CASE("cublas: scalars in device memory are read when the work runs", "", float,
                   double) {
  using T = TestType;
  const Handle handle;
  REQUIRE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == CUBLAS_STATUS_SUCCESS);
  DeviceArray<T> x(4, 2), y(4, 3), result(1);
  // The result of the one is the factor of the next; the host never sees it.
  REQUIRE(dot<T>(handle, 4, x.data(), 1, y.data(), 1, result.data()) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(axpy<T>(handle, 4, result.data(), x.data(), 1, y.data(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(result.host()[0] == 24);
  CHECK(y.host()[3] == 51);
}

TEST_CASE("cublas: work waits in the handle's stream") {
  const Handle handle;
  const Stream stream(cudaStreamNonBlocking);
  REQUIRE(cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS);
  const Pinned<float> x(4, 1);
  const float one = 1;
  for (int i = 0; i < 10; ++i) // x = x + x
    REQUIRE(cublasSaxpy(handle, 4, &one, x.data, 1, x.data, 1) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(x.data[3] == 1024);
}

TEST_CASE("cublas: wrong arguments are refused") {
  const Handle handle;
  DeviceArray<float> a(100);
  const float one = 1;
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 10, 10, 10, &one, a.data(), 9, a.data(), 10,
                    &one, a.data(), 10) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 10, 10, &one, a.data(), 10, a.data(), 10,
                    &one, a.data(), 10) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a.data(), 1, a.data(), 1,
                    &one, a.data(), 1) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(std::string(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE)) ==
        "CUBLAS_STATUS_INVALID_VALUE");
}
