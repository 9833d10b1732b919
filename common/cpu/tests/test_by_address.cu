// Launches of kernels by their addresses.
#include "cuda_test.hpp"

#include <cooperative_groups.h>

namespace inner {
__global__ void set(int *out, int n, double value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = static_cast<int>(value) + i;
}
} // namespace inner

template <class T, int STEP> __global__ void add(T *out, const T value) {
  out[threadIdx.x] += STEP * value;
}

__global__ void sum_of_grid(int *sums, int *result) {
  sums[blockIdx.x] = blockIdx.x + 1;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0) {
    *result = 0;
    for (unsigned i = 0; i < gridDim.x; ++i)
      *result += sums[i];
  }
}

struct Launch {
  const void *kernel;
  dim3 grid, block;
};

TEST_CASE("by address: cudaLaunchKernel with the kernel as void *, as samples write it") {
  DeviceArray<int> out(100);
  int *data = out.data(), n = 100;
  double value = 5;
  void *arguments[] = {&data, &n, &value};
  REQUIRE(cudaLaunchKernel((void *)inner::set, dim3(4), dim3(32), arguments, 0, nullptr) ==
          cudaSuccess);
  CHECK(out.host()[99] == 104);
  value = 7;
  const Launch launch{(const void *)&inner::set, dim3(2), dim3(64)};
  REQUIRE(cudaLaunchKernel(launch.kernel, launch.grid, launch.block, arguments, 0, nullptr) ==
          cudaSuccess);
  value = 9; // the arguments were copied
  CHECK(out.host()[99] == 106);
  REQUIRE(cudaLaunchKernel(reinterpret_cast<const void *>(inner::set), dim3(4), dim3(32), arguments,
                           0, nullptr) == cudaSuccess);
  CHECK(out.host()[0] == 9);
}

TEST_CASE("by address: cudaLaunchKernel with the kernel itself, a pointer, a template") {
  DeviceArray<float> out(32, 1.0f);
  float *data = out.data(), value = 0.5f;
  void *arguments[] = {&data, &value};
  REQUIRE(cudaLaunchKernel(add<float, 2>, dim3(1), dim3(32), arguments, 0, nullptr) == cudaSuccess);
  CHECK(out.host()[31] == 2);
  REQUIRE(cudaLaunchKernel((void *)add<float, 4>, dim3(1), dim3(32), arguments, 0, nullptr) ==
          cudaSuccess);
  CHECK(out.host()[0] == 4);
  void (*pointer)(float *, const float) = add<float, -2>;
  REQUIRE(cudaLaunchKernel(pointer, dim3(1), dim3(32), arguments, 0, nullptr) == cudaSuccess);
  CHECK(out.host()[31] == 3);
}

TEST_CASE("by address: a refused launch returns its error, and leaves it") {
  CHECK(cudaLaunchKernel((void *)inner::set, dim3(0), dim3(32), nullptr, 0, nullptr) ==
        cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  static const int no_kernel = 0;
  CHECK(cudaLaunchKernel(&no_kernel, dim3(1), dim3(32), nullptr, 0, nullptr) ==
        cudaErrorInvalidDeviceFunction);
  CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
}

TEST_CASE("by address: cudaLaunchCooperativeKernel") {
  DeviceArray<int> sums(2), result(1);
  int *d_sums = sums.data(), *d_result = result.data();
  void *arguments[] = {&d_sums, &d_result};
  REQUIRE(cudaLaunchCooperativeKernel((void *)sum_of_grid, dim3(2), dim3(32), arguments, 0,
                                      nullptr) == cudaSuccess);
  CHECK(result.host()[0] == 3);
}

TEST_CASE("by address: cudaLaunchKernelEx converts its arguments") {
  DeviceArray<int> out(10);
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = dim3(32);
  REQUIRE(cudaLaunchKernelEx(&config, inner::set, out.data(), 10, 3.0) == cudaSuccess);
  CHECK(out.host()[9] == 12);
  DeviceArray<int> sums(2), result(1);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.gridDim = 2;
  config.attrs = &attribute;
  config.numAttrs = 1;
  REQUIRE(cudaLaunchKernelEx(&config, sum_of_grid, sums.data(), result.data()) == cudaSuccess);
  CHECK(result.host()[0] == 3);
}
