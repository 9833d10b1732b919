// Lesson 07: the sum of a list in one launch: the last block to finish adds the blocks' sums.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/07-reduction/reduction.cu -o reduction
// Run:   ./reduction [n]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/07-reduction/list.hpp"

#include <cub/cub.cuh>

#include <algorithm>
#include <cmath>
#include <cstdio>

constexpr int block = 256; // threads per block: a multiple of the warp's 32

// [block]
__device__ float warp_sum(float x) { // the sum is in lane 0
  for (int half = 16; half > 0; half /= 2)
    x += __shfl_down_sync(0xffffffff, x, half);
  return x;
}
__device__ float block_sum(float x) { // the sum is in thread 0
  __shared__ float warps[block / 32];
  const int lane = threadIdx.x % 32;
  x = warp_sum(x);
  if (lane == 0)
    warps[threadIdx.x / 32] = x;
  __syncthreads();
  return warp_sum(lane < block / 32 ? warps[lane] : 0);
}
// [end]

__device__ unsigned blocks_done; // 0 whenever no kernel runs

// *out = a[0] + ... + a[n - 1]. `a` begins at a multiple of 16 bytes; `sums`: one float per block.
__global__ void sum(const float *a, float *sums, float *out, int n) {
  // [many]
  const float4 *a4 = reinterpret_cast<const float4 *>(a);
  const int thread = blockIdx.x * block + threadIdx.x, threads = gridDim.x * block;
  float x = 0;
  for (int i = thread; i < n / 4; i += threads) {
    const float4 v = __ldcs(a4 + i); // streaming access: each value is used once
    x += (v.x + v.y) + (v.z + v.w);
  }
  if (thread < n % 4) // up to three elements past the last whole vector
    x += a[n - 1 - thread];
  x = block_sum(x);
  // [end]
  // [count]
  __shared__ bool last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = x;
    __threadfence(); // a block that sees the count also sees the sum
    last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  // [end]
  // [finish]
  x = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += block)
    x += __ldcg(sums + i); // from the L2 cache, which all SMs share
  x = block_sum(x);
  if (threadIdx.x == 0) {
    *out = x;
    blocks_done = 0; // for the next launch
  }
  // [end]
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int standard = course::size(1 << 28, 1'000'003);
  const int n = int(course::count_argument(argc, argv, 1, "n", standard, 1 << 30));
  const auto a = elements(n);
  std::printf("%d floats, %.3f GB, whose sum is %.3f\n\n", n, 4e-9 * n, exact_sum(n));

  std::size_t room = n / 64 + 65536; // bytes: enough for the blocks' sums, and for CUB
  float *d_a, *d_sums, *d_out, found = 0;
  CUDA_CHECK(cudaMalloc(&d_a, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_sums, room));
  CUDA_CHECK(cudaMalloc(&d_out, sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_a, a.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  bool correct = true;
  double cub = 0; // GB/s
  const auto measure = [&](const char *what, auto add) {
    const double seconds = course::gpu_seconds(course::size(15, 1), [&] { add(n); });
    const double rate = 4e-9 * n / seconds;
    cub = cub > 0 ? cub : rate;
    course::figure(what, rate, "GB/s", cub, "CUB", seconds);
    for (int count : {std::min(n, 1003), n}) { // few, so that each element shows; then all
      CUDA_CHECK(cudaMemset(d_out, 0xFF, sizeof found)); // NaN
      add(count);
      CUDA_CHECK(cudaMemcpy(&found, d_out, sizeof found, cudaMemcpyDeviceToHost));
      correct = course::verify_value(what, found, exact_sum(count), 1e-5) && correct;
    }
  };
  measure("CUB's DeviceReduce::Sum", [&](int n) { // the yardstick
    CUDA_CHECK(cub::DeviceReduce::Sum(d_sums, room, d_a, d_out, n));
  });
  const auto launch = [&](int blocks, int n) {
    sum<<<blocks, block>>>(d_a, d_sums, d_out, n);
    CUDA_CHECK(cudaGetLastError());
  };
  // Two grids: one thread for each vector; or as many threads as the device holds at once.
  measure("one vector per thread", [&](int n) { launch((n + 4 * block - 1) / (4 * block), n); });
  measure("many vectors per thread", [&](int n) { launch(8 * course::multiprocessors(), n); });
  std::printf("   whose sum has an error of %.1e\n\n", std::abs(found / exact_sum(n) - 1));

  for (float *d_memory : {d_a, d_sums, d_out})
    CUDA_CHECK(cudaFree(d_memory));
  return course::verdict(correct);
}
