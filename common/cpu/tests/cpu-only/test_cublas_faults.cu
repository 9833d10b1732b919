// Arrays that a call of cuBLAS would step out of.
#include "cuda_test.hpp"

#include <cublas_v2.h>

namespace {

// The report on a product of matrices with these arrays and leading dimension of A.
std::string report_of_product(const float *a, int lda, const float *b, float *c) {
  cublasHandle_t handle;
  REQUIRE(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  const float one = 1;
  const StandardError report;
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 4, 6, &one, a, lda, b, 6, &one, c, 8) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 4, 6, &one, a, lda, b, 6, &one, c, 8) ==
        CUBLAS_STATUS_EXECUTION_FAILED); // the error stays
  return report.text();
}

} // namespace

TEST_CASE("fault: cublas and a matrix that is too short", "[fault]") {
  DeviceArray<float> a(8 * 6), b(6 * 4), c(8 * 4);
  const std::string report = report_of_product(a.data(), 10, b.data(), c.data());
  CHECK(report ==
        "error: cublasSgemm: A, 8 rows and 6 columns with leading dimension 10, takes 232 "
        "bytes; its array has 192\nMatrices are stored column by column. Check the sizes of "
        "op(A), op(B) and C, and the leading dimensions (the distance between two columns).\n");
}

TEST_CASE("fault: cublas and an array of the host", "[fault]") {
  DeviceArray<float> a(8 * 6), b(6 * 4);
  std::vector<float> c(8 * 4);
  const std::string report = report_of_product(a.data(), 8, b.data(), c.data());
  CHECK(report ==
        "error: cublasSgemm: C is not an array in device memory: pass a pointer from cudaMalloc or "
        "cudaMallocManaged\n");
}
