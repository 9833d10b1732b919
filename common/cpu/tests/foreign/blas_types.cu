// nvcc: -lcublas
// cuBLAS: products and scalar products of halves and of bfloat16 (HeCBench's blas-gemm and
// blas-dot).
#include <cstdio>
#include <cublas_v2.h>

constexpr int m = 3, n = 2, k = 4;

// Element i of array `which`: small integers, which all types hold.
static int value(int which, int i) { return (i * 7 + which * 3) % 9 - 4; }

template <class T> T *array(int which, int count) {
  T *values;
  cudaMallocManaged(&values, count * sizeof *values);
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
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return right;
}

template <class In, class Out>
bool gemm_ex(cublasHandle_t handle, cudaDataType in, cudaDataType out) {
  const float two = 2, one = 1;
  return product<In, Out>([&](In *a, In *b, Out *c) {
    return cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &two, a, in, m, b, in, n, &one,
                        c, out, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  });
}

// x y from the host's pointer and from the device's; y backwards, every other element of x.
template <class T> bool dots(cublasHandle_t handle, cudaDataType type, cudaDataType execution) {
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
  cudaFree(x);
  cudaFree(y);
  cudaFree(on_device);
  return right;
}

int main() {
  cublasHandle_t handle;
  bool right = cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS;
  right = right && gemm_ex<__half, __half>(handle, CUDA_R_16F, CUDA_R_16F);
  right = right && gemm_ex<__half, float>(handle, CUDA_R_16F, CUDA_R_32F);
  right = right && gemm_ex<__nv_bfloat16, __nv_bfloat16>(handle, CUDA_R_16BF, CUDA_R_16BF);
  right = right && gemm_ex<__nv_bfloat16, float>(handle, CUDA_R_16BF, CUDA_R_32F);
  right = right && gemm_ex<float, float>(handle, CUDA_R_32F, CUDA_R_32F);
  right =
      right && product<__half, __half>([&](__half *a, __half *b, __half *c) {
        const __half two(2.0f), one(1.0f);
        return cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &two, a, m, b, n, &one, c, m);
      });
  right = right && dots<__half>(handle, CUDA_R_16F, CUDA_R_32F);
  right = right && dots<__nv_bfloat16>(handle, CUDA_R_16BF, CUDA_R_32F);
  right = right && dots<float>(handle, CUDA_R_32F, CUDA_R_32F);
  right = right && dots<double>(handle, CUDA_R_64F, CUDA_R_64F);
  cublasDestroy(handle);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
