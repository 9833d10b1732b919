// Host and device code in one pass of the compiler: which of them sees __CUDA_ARCH__, and what else
// nvcc's words mean here.
#include "cuda_test.hpp"

#ifdef __CUDA_ARCH__
#error "outside of functions it is undefined"
#endif

namespace {

__host__ __device__ int on_both_sides() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__;
#else
  return 0;
#endif
}

__device__ __noinline__ int in_function() { return __CUDA_ARCH__; }

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
#error "an own atomicAdd of older devices"
#endif

template <class F>
__global__ void __launch_bounds__(256, 2) architectures(int *result, const __grid_constant__ F f) {
#if __CUDA_ARCH__ >= 600
  result[0] = __CUDA_ARCH__;
#elif defined(__CUDA_ARCH__)
  result[0] = 1;
#endif
  result[1] = in_function();
  result[2] = on_both_sides();
  result[3] = f(1);
}

struct Member {
  __device__ __forceinline__ int operator()(int more) const { return __CUDA_ARCH__ + more; }
};

} // namespace

__managed__ int total;

__global__ void __launch_bounds__(32) count() { atomicAdd(&total, 1); }

TEST_CASE("__CUDA_ARCH__ is the compute capability in device code, and nowhere else") {
  int device = 0;
  cudaDeviceProp properties;
  REQUIRE(cudaGetDevice(&device) == cudaSuccess);
  REQUIRE(cudaGetDeviceProperties(&properties, device) == cudaSuccess);
  const int expected = 100 * properties.major + 10 * properties.minor;
  int *result = nullptr;
  REQUIRE(cudaMallocManaged(&result, 4 * sizeof(int)) == cudaSuccess);
  architectures<<<1, 1>>>(result, Member());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(result[0] == expected);
  CHECK(result[1] == expected);
  CHECK(result[2] == expected);
  CHECK(on_both_sides() == 0);
  CHECK(result[3] == expected + 1);
  architectures<<<1, 1>>>(result, [] __device__(int more) { return __CUDA_ARCH__ + more; });
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(result[3] == expected + 1);
  CHECK(cudaFree(result) == cudaSuccess);
#ifdef __CUDA_ARCH__
  FAIL("host code");
#endif
}

TEST_CASE("a managed variable is the host's and the device's") {
  total = 40;
  count<<<1, 2>>>();
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(total == 42);
}

TEST_CASE("headers that look for NVIDIA's find them") {
#if defined __CUDA_RUNTIME_H__ && defined __CUDA_RUNTIME_API_H__ && defined __DRIVER_TYPES_H__ &&  \
    CUDART_VERSION >= 12000
  SUCCEED();
#else
  FAIL("a guard is missing");
#endif
}
