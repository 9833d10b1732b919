// nvcc: -lcublas
// cuBLAS: products of halves, of bfloat16 and of 8-bit integers, alone and in batches; scalar
// products of halves.
#include <cstdio>
#include <cublas_v2.h>

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
  In *a, *b, **of_a, **of_b;
  Out *c, **of_c;
  Scale two = 2, one = 1;

  Batch() {
    cudaMallocManaged(&a, count * m * k * sizeof(In));
    cudaMallocManaged(&b, count * n * k * sizeof(In));
    cudaMallocManaged(&c, count * m * n * sizeof(Out));
    cudaMallocManaged(&of_a, count * sizeof *of_a);
    cudaMallocManaged(&of_b, count * sizeof *of_b);
    cudaMallocManaged(&of_c, count * sizeof *of_c);
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

int main() {
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
  cudaFree(rows);
  cudaFree(sums);
  cublasDestroy(handle);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
