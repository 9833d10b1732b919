// Requests that a device refuses, their errors, and how long an error lasts.
#include "cuda_test.hpp"

namespace {

__global__ void mark(int *out) { *out = 1; }
__global__ void use_shared(int *out) {
  extern __shared__ int words[];
  words[threadIdx.x] = 1;
  __syncthreads();
  *out = words[0];
}

// CUDA 13 names a bad shape of the grid differently.
bool refuses(dim3 grid, dim3 block, std::size_t shared = 0) {
  static_cast<void>(cudaGetLastError());
  DeviceArray<int> out(1);
  mark<<<grid, block, shared>>>(out.data());
  const cudaError_t error = cudaGetLastError();
  return (error == cudaErrorInvalidConfiguration ||
          (CUDART_VERSION >= 13000 && error == cudaErrorInvalidValue)) &&
         out.host()[0] == 0;
}

__global__ void take_and_give_back(int times, int *refused) {
  for (int i = 0; i < times; ++i) {
    void *const memory = malloc(1 << 20);
    *refused += memory == nullptr;
    free(memory);
  }
}

bool accepts(dim3 grid, dim3 block) {
  DeviceArray<int> out(1);
  mark<<<grid, block>>>(out.data());
  return out.host()[0] == 1;
}

} // namespace

TEST_CASE("limits: threads in a block") {
  CHECK(accepts(1, 1024));
  CHECK(accepts(1, dim3(1, 1024)));
  CHECK(accepts(1, dim3(1, 1, 64)));
  CHECK(refuses(1, 1025));
  CHECK(refuses(1, dim3(1, 1025)));
  CHECK(refuses(1, dim3(33, 32)));
  CHECK(refuses(1, dim3(1, 1, 65)));
  CHECK(refuses(1, dim3(65536, 65536)));
}

TEST_CASE("limits: blocks in a grid") {
  CHECK(accepts(70000, 1));
  CHECK(accepts(dim3(1, 65535), 1));
  CHECK(accepts(dim3(1, 1, 65535), 1));
  CHECK(refuses(dim3(1, 65536), 1));
  CHECK(refuses(dim3(1, 1, 65536), 1));
  CHECK(refuses(dim3(2147483648u), 1));
}

TEST_CASE("limits: an empty grid or block") {
  CHECK(refuses(0, 256));
  CHECK(refuses(dim3(1, 0), 256));
  CHECK(refuses(1, 0));
  CHECK(refuses(1, dim3(16, 0)));
}

TEST_CASE("limits: shared memory of a launch") {
  DeviceArray<int> out(1);
  int largest = 0;
  REQUIRE(cudaDeviceGetAttribute(&largest, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0) ==
          cudaSuccess);
  CHECK(largest > 49152);

  use_shared<<<1, 32, 49152>>>(out.data());
  CHECK(out.host()[0] == 1);
  use_shared<<<1, 32, 49153>>>(out.data());
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);

  // A kernel may ask for more, up to what the device has.
  CHECK(cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, largest) ==
        cudaSuccess);
  use_shared<<<1, 32, 49153>>>(out.data());
  CHECK(cudaGetLastError() == cudaSuccess);
  use_shared<<<1, 32, static_cast<std::size_t>(largest)>>>(out.data());
  CHECK(out.host()[0] == 1);
  use_shared<<<1, 32, static_cast<std::size_t>(largest) + 1>>>(out.data());
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             largest + 1) == cudaErrorInvalidValue);
  static_cast<void>(cudaGetLastError());
  require_finished();
}

TEST_CASE("errors: a refused launch is remembered once") {
  DeviceArray<int> out(1);
  mark<<<1, 2000>>>(out.data());
  const cudaError_t error = cudaPeekAtLastError();
  CHECK(error != cudaSuccess);
  CHECK(cudaPeekAtLastError() == error);
  CHECK(cudaGetLastError() == error);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);

  mark<<<1, 2000>>>(out.data()); // an accepted launch does not hide it
  mark<<<1, 1>>>(out.data());
  CHECK(cudaGetLastError() == error);
  CHECK(out.host()[0] == 1);
}

TEST_CASE("errors: a failed call is remembered too") {
  int device = 0;
  CHECK(cudaSetDevice(1000) == cudaErrorInvalidDevice);
  CHECK(cudaGetDevice(&device) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("errors: names and descriptions") {
  CHECK(cudaGetErrorName(cudaSuccess) == std::string("cudaSuccess"));
  CHECK(cudaGetErrorString(cudaSuccess) == std::string("no error"));
  CHECK(cudaGetErrorName(cudaErrorMemoryAllocation) == std::string("cudaErrorMemoryAllocation"));
  CHECK(cudaGetErrorString(cudaErrorMemoryAllocation) == std::string("out of memory"));
  CHECK(cudaGetErrorString(cudaErrorInvalidValue) == std::string("invalid argument"));
  CHECK(cudaGetErrorString(cudaErrorInvalidConfiguration) ==
        std::string("invalid configuration argument"));
  CHECK(cudaGetErrorString(static_cast<cudaError_t>(12345)) ==
        std::string("unrecognized error code"));
  CHECK(cudaErrorInvalidValue == 1);
  CHECK(cudaErrorMemoryAllocation == 2);
  CHECK(cudaErrorInvalidConfiguration == 9);
  CHECK(cudaErrorNoDevice == 100);
  CHECK(cudaErrorInvalidDevice == 101);
  CHECK(cudaErrorIllegalAddress == 700);
  CHECK(cudaErrorLaunchFailure == 719);
}

TEST_CASE("device: its properties agree with its attributes and CUDA's limits") {
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  const auto attribute = [](cudaDeviceAttr which) {
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess);
    return value;
  };
  CHECK(std::string(properties.name) != "");
  CHECK(properties.warpSize == 32);
  CHECK(properties.maxThreadsPerBlock == 1024);
  CHECK(properties.sharedMemPerBlock == 49152);
  CHECK(properties.maxGridSize[0] == 2147483647);
  CHECK(properties.maxGridSize[1] == 65535);
  CHECK(properties.maxThreadsDim[2] == 64);
  CHECK(properties.multiProcessorCount > 0);
  CHECK(properties.totalGlobalMem > 0);
  CHECK(attribute(cudaDevAttrWarpSize) == 32);
  CHECK(attribute(cudaDevAttrMaxThreadsPerBlock) == 1024);
  CHECK(attribute(cudaDevAttrMultiProcessorCount) == properties.multiProcessorCount);
  CHECK(attribute(cudaDevAttrMaxGridDimY) == 65535);
  CHECK(attribute(cudaDevAttrComputeCapabilityMajor) == properties.major);
  CHECK(cudaGetDeviceProperties(&properties, 1000) == cudaErrorInvalidDevice);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("limits: what a kernel frees has room in the heap again") {
  DeviceArray<int> refused(1);
  take_and_give_back<<<1, 1>>>(20, refused.data()); // 8 MiB are the heap
  CHECK(refused.host()[0] == 0);
}
