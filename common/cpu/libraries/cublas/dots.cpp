// cublasDotEx: scalar products of types that are known at run time.
#include "calls.h"

using namespace course_cpu::blas;

// Halves are added up in float, in pieces that stay in the cache, and the pieces in double.
template <class Half>
static cublasStatus_t dot_of_halves(cublasHandle_t handle, int n, const Half *x, int incx,
                                    const Half *y, int incy, Half *result) {
  const auto first = [n](const Half *array, int increment) { // of a negative one: the last
    return increment < 0 ? array + std::ptrdiff_t(1 - n) * increment : array;
  };
  return queue_result(handle, "cublasDotEx", {vector("x", x, n, incx), vector("y", y, n, incy)},
                      result, [=] {
                        const Half *next_x = first(x, incx), *next_y = first(y, incy);
                        double sum = 0;
                        for (int left = n; left > 0;) {
                          float of_x[1024], of_y[1024];
                          const int piece = std::min(left, 1024);
                          for (int i = 0; i < piece; ++i, next_x += incx, next_y += incy) {
                            of_x[i] = *next_x;
                            of_y[i] = *next_y;
                          }
                          sum += cblas_sdot(piece, of_x, 1, of_y, 1);
                          left -= piece;
                        }
                        return Half(sum);
                      });
}

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType type_x,
                           int incx, const void *y, cudaDataType type_y, int incy, void *result,
                           cudaDataType type_result, cudaDataType execution) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result)
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto dot = [=](auto *typed_result, auto function) {
    const auto *typed_x = static_cast<decltype(typed_result)>(const_cast<void *>(x));
    const auto *typed_y = static_cast<decltype(typed_result)>(const_cast<void *>(y));
    return function(handle, std::max(0, n), typed_x, incx, typed_y, incy, typed_result);
  };
  if (type_x == type_y && type_x == type_result) {
    if (type_x == CUDA_R_64F && execution == CUDA_R_64F)
      return dot(static_cast<double *>(result), cublasDdot);
    if (type_x == CUDA_R_32F && execution == CUDA_R_32F)
      return dot(static_cast<float *>(result), cublasSdot);
    if (type_x == CUDA_R_16F && execution == CUDA_R_32F)
      return dot(static_cast<__half *>(result), dot_of_halves<__half>);
    if (type_x == CUDA_R_16BF && execution == CUDA_R_32F)
      return dot(static_cast<__nv_bfloat16 *>(result), dot_of_halves<__nv_bfloat16>);
  }
  return not_supported(__func__, "a scalar product of these types");
}
