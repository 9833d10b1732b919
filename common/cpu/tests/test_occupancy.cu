// Queries of how many blocks fit.
#include "cuda_test.hpp"

namespace {

__global__ void copy(int n, const float *from, float *to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i];
}

__global__ void turn(float *values) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int blocks_per_processor(int threads, std::size_t shared_bytes) {
  int blocks = -1;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, turn, threads, shared_bytes) ==
          cudaSuccess);
  return blocks;
}

int attribute(cudaDeviceAttr which) {
  int value = -1;
  REQUIRE(cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess);
  return value;
}

} // namespace

TEST_CASE("occupancy: a block size is proposed") {
  int grid = 0, block = 0;
  REQUIRE(cudaOccupancyMaxPotentialBlockSize(&grid, &block, copy) == cudaSuccess);
  CHECK(block >= 32);
  CHECK(block <= 1024);
  CHECK(block % 32 == 0);
  CHECK(grid >= attribute(cudaDevAttrMultiProcessorCount));
  int limited = 0;
  REQUIRE(cudaOccupancyMaxPotentialBlockSize(&grid, &limited, copy, 0, 128) == cudaSuccess);
  CHECK(limited <= 128);
  // Its launch is accepted.
  DeviceArray<float> from(1000, 3.0f), to(1000);
  copy<<<(1000 + block - 1) / block, block>>>(1000, from.data(), to.data());
  CHECK(to.host() == std::vector<float>(1000, 3.0f));
}

TEST_CASE("occupancy: threads and shared memory bound the blocks of a multiprocessor") {
  const int threads = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  const int shared = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  CHECK(blocks_per_processor(1024, 0) >= 1);
  CHECK(blocks_per_processor(1024, 0) <= threads / 1024);
  CHECK(blocks_per_processor(128, 0) > blocks_per_processor(1024, 0));
  CHECK(blocks_per_processor(32, 40 << 10) <= shared / (40 << 10));
  CHECK(blocks_per_processor(32, 40 << 10) < blocks_per_processor(32, 0));
}

TEST_CASE("occupancy: more shared memory than 48 KiB, when it is asked for") {
  const int most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  if (most <= 48 << 10)
    SKIP("the device has no more than 48 KiB a block");
  CHECK(cudaFuncSetAttribute(turn, cudaFuncAttributeMaxDynamicSharedMemorySize, most) ==
        cudaSuccess);
  CHECK(blocks_per_processor(128, most) >= 1);
  std::vector<float> in(128);
  for (int i = 0; i < 128; ++i)
    in[i] = static_cast<float>(i);
  DeviceArray<float> values(in);
  turn<<<1, 128, most>>>(values.data());
  std::reverse(in.begin(), in.end());
  CHECK(values.host() == in);
}

TEST_CASE("occupancy: what a kernel needs") {
  cudaFuncAttributes attributes{};
  REQUIRE(cudaFuncGetAttributes(&attributes, turn) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 1024);
  CHECK(attributes.sharedSizeBytes == 0);
}
