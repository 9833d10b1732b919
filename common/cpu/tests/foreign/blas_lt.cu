// nvcc: -lcublas -lcublasLt
// cuBLASLt: products with a bias and an activation, of several types, and of 8-bit floats with
// scales.
#include <cmath>
#include <cstdio>
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

constexpr int m = 48, n = 16, k = 32;

// Element i of array `which`: small, so that all types hold it.
static float value(int which, int i) { return (i * 7 + which * 3) % 9 - 4; }

template <class T> T *managed(int which, int count) {
  T *array;
  cudaMallocManaged(&array, count * sizeof *array);
  for (int i = 0; i < count; ++i)
    array[i] = T(value(which, i));
  return array;
}

// An element of A^T B.
static float expected(int row, int column) {
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += value(0, row * k + i) * value(1, column * k + i);
  return sum;
}

static float activated(cublasLtEpilogue_t epilogue, float x) {
  if (epilogue & CUBLASLT_EPILOGUE_RELU)
    return x > 0 ? x : 0;
  if (epilogue & CUBLASLT_EPILOGUE_GELU)
    return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  return x;
}

struct Types {
  cudaDataType a, c, d, scale;
  cublasComputeType_t compute;
};

// The objects of a product of A^T and B.
struct Product {
  cublasLtMatmulDesc_t description;
  cublasLtMatrixLayout_t a, b, c, d;
  bool right;

  explicit Product(const Types &types) {
    const cublasOperation_t transposed = CUBLAS_OP_T;
    right = !cublasLtMatmulDescCreate(&description, types.compute, types.scale) &&
            !cublasLtMatrixLayoutCreate(&a, types.a, k, m, k) &&
            !cublasLtMatrixLayoutCreate(&b, types.a, k, n, k) &&
            !cublasLtMatrixLayoutCreate(&c, types.c, m, n, m) &&
            !cublasLtMatrixLayoutCreate(&d, types.d, m, n, m);
    set(CUBLASLT_MATMUL_DESC_TRANSA, transposed);
  }
  template <class T> void set(cublasLtMatmulDescAttributes_t attribute, T setting) {
    right =
        right && !cublasLtMatmulDescSetAttribute(description, attribute, &setting, sizeof setting);
  }
  ~Product() {
    cublasLtMatmulDescDestroy(description);
    for (cublasLtMatrixLayout_t layout : {a, b, c, d})
      cublasLtMatrixLayoutDestroy(layout);
  }
  Product(const Product &) = delete;
  Product &operator=(const Product &) = delete;

  bool run(cublasLtHandle_t handle, const void *alpha, const void *of_a, const void *of_b,
           const void *beta, const void *of_c, void *of_d) {
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t result;
    size_t bytes = 1 << 20;
    int found = 0;
    void *workspace;
    cudaMalloc(&workspace, bytes);
    right = right && !cublasLtMatmulPreferenceCreate(&preference) &&
            !cublasLtMatmulPreferenceSetAttribute(
                preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes) &&
            !cublasLtMatmulAlgoGetHeuristic(handle, description, a, b, c, d, preference, 1, &result,
                                            &found) &&
            found == 1;
    right = right && !cublasLtMatmul(handle, description, alpha, of_a, a, of_b, b, beta, of_c, c,
                                     of_d, d, &result.algo, workspace, bytes, nullptr);
    right = right && cudaDeviceSynchronize() == cudaSuccess;
    cublasLtMatmulPreferenceDestroy(preference);
    cudaFree(workspace);
    return right;
  }
};

template <class In, class Out, class Scale>
bool multiplies(cublasLtHandle_t handle, const Types &types, cublasLtEpilogue_t epilogue,
                float tolerance) {
  In *a = managed<In>(0, m * k), *b = managed<In>(1, k * n);
  Out *c = managed<Out>(2, m * n), *d = managed<Out>(3, m * n), *bias = managed<Out>(4, m);
  Product product(types);
  const bool has_bias = epilogue & CUBLASLT_EPILOGUE_BIAS;
  if (epilogue != CUBLASLT_EPILOGUE_DEFAULT)
    product.set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
  if (has_bias)
    product.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
  const float factor = types.scale == CUDA_R_32I ? 2 : 0.0625f;
  const Scale alpha = factor, beta = -1;
  bool right = product.run(handle, &alpha, a, b, &beta, c, d);
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      const float sum = factor * expected(row, column) - value(2, row + column * m);
      const float wanted = activated(epilogue, sum + (has_bias ? value(4, row) : 0));
      right = right && std::fabs(float(d[row + column * m]) - wanted) <= tolerance;
    }
  for (void *array : {(void *)a, (void *)b, (void *)c, (void *)d, (void *)bias})
    cudaFree(array);
  return right;
}

// 8-bit floats: D = d_scale (alpha a_scale b_scale A^T B), and the largest of what d_scale
// multiplies.
static bool multiplies_eight_bits(cublasLtHandle_t handle) {
  auto *a = managed<__nv_fp8_e4m3>(0, m * k), *b = managed<__nv_fp8_e4m3>(1, k * n);
  auto *c = managed<__nv_bfloat16>(2, m * n);
  auto *d = managed<__nv_fp8_e4m3>(3, m * n);
  float *numbers = managed<float>(4, 4); // the scales of A, B and D, and the largest
  numbers[0] = 0.5f;
  numbers[1] = 0.25f;
  numbers[2] = 4;
  Product product({CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_8F_E4M3, CUDA_R_32F, CUBLAS_COMPUTE_32F});
  product.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, numbers);
  product.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, numbers + 1);
  product.set(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, numbers + 2);
  product.set(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, numbers + 3);
  const float alpha = 0.5f, beta = 0;
  bool right = product.run(handle, &alpha, a, b, &beta, c, d);
  float largest = 0;
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < m; ++row) {
      const float wanted = 0.0625f * expected(row, column); // 0.5 * 0.5 * 0.25
      largest = std::fmax(largest, std::fabs(wanted));
      right = right && float(d[row + column * m]) == float(__nv_fp8_e4m3(4 * wanted));
    }
  right = right && numbers[3] == largest;
  for (void *array : {(void *)a, (void *)b, (void *)c, (void *)d, (void *)numbers})
    cudaFree(array);
  return right;
}

int main() {
  cublasLtHandle_t handle;
  bool right = cublasLtCreate(&handle) == CUBLAS_STATUS_SUCCESS;
  const Types floats = {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
  for (const auto epilogue :
       {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_BIAS,
        CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_BIAS})
    right = right && multiplies<float, float, float>(handle, floats, epilogue, 1e-3f);
  right = right && multiplies<double, double, double>(
                       handle, {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F},
                       CUBLASLT_EPILOGUE_DEFAULT, 0);
  right = right && multiplies<__half, __half, float>(
                       handle, {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F},
                       CUBLASLT_EPILOGUE_RELU_BIAS, 0.01f);
  right =
      right && multiplies<__nv_bfloat16, __nv_bfloat16, float>(
                   handle, {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F},
                   CUBLASLT_EPILOGUE_GELU_BIAS, 0.1f);
  right = right && multiplies<signed char, int, int>(
                       handle, {CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I},
                       CUBLASLT_EPILOGUE_DEFAULT, 0);
  right = right && multiplies_eight_bits(handle);
  cublasLtDestroy(handle);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
