// Lesson 07, versions: seven kernels that add an array, each compared with CUB, which is
// version 4 of the page..
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. lessons/07-reduction/reduction-versions.cu -o reduction-versions
// Run:   ./reduction-versions [n]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

constexpr int BLOCK = 256; // threads per block

// Version 1: every thread adds its element to the result.
__global__ void one_atomic_each(const float *x, int n, double *sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, double(x[i]));
}

// Version 2: a tree in shared memory, one atomic per block.
__global__ void tree_per_block(const float *x, int n, double *sum) {
  __shared__ double partial[BLOCK];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  partial[t] = i < n ? x[i] : 0;
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      partial[t] += partial[t + half];
  }
  if (t == 0)
    atomicAdd(sum, partial[0]);
}

// Version 2 without its atomics. The result is not the sum: only the time matters.
__global__ void tree_without_atomics(const float *x, int n, double *partials) {
  __shared__ double partial[BLOCK];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  partial[t] = i < n ? x[i] : 0;
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      partial[t] += partial[t + half];
  }
  if (t == 0)
    partials[blockIdx.x] = partial[0];
}

// Version 3: many elements per thread, then shuffles.
__global__ void many_then_shuffles(const float *x, int n, double *sum) {
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  for (int half = 16; half > 0; half /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, half);
  if (threadIdx.x % 32 == 0)
    atomicAdd(sum, mine);
}

// Version 3 with the tree of version 2 instead of the shuffles.
__global__ void many_then_tree(const float *x, int n, double *sum) {
  __shared__ double partial[BLOCK];
  const int t = threadIdx.x;
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  partial[t] = mine;
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      partial[t] += partial[t + half];
  }
  if (t == 0)
    atomicAdd(sum, partial[0]);
}

// Version 5: every load fetches four floats, 16 bytes. x starts at a multiple of 16 bytes.
// [vector-loads]
__global__ void vector_loads(const float *x, int n, double *sum) {
  const float4 *x4 = reinterpret_cast<const float4 *>(x);
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  double mine = 0;
  for (int i = thread; i < n / 4; i += threads) {
    const float4 v = x4[i];
    mine += double(v.x) + v.y + v.z + v.w;
  }
  if (thread < n % 4) // up to three elements do not fill a float4
    mine += x[n - 1 - thread];
  for (int half = 16; half > 0; half /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, half);
  if (threadIdx.x % 32 == 0)
    atomicAdd(sum, mine);
}
// [end]

// Version 6: one launch without atomics on the result. The last block adds the sums of all blocks,
// always in the same order, so the result is the same in every run. *sum need not be 0 before.
__device__ unsigned blocks_done; // 0 between launches

__device__ double block_sum(double mine) { // the sum is in thread 0
  __shared__ double warps[BLOCK / 32];
  const int lane = threadIdx.x % 32;
  for (int half = 16; half > 0; half /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, half);
  if (lane == 0)
    warps[threadIdx.x / 32] = mine;
  __syncthreads();
  mine = lane < BLOCK / 32 ? warps[lane] : 0;
  for (int half = 16; half > 0; half /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, half);
  return mine;
}

__global__ void one_launch(const float *x, int n, double *partials, double *sum) {
  const float4 *x4 = reinterpret_cast<const float4 *>(x);
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  double mine = 0;
  for (int i = thread; i < n / 4; i += threads) {
    const float4 v = x4[i];
    mine += double(v.x) + v.y + v.z + v.w;
  }
  if (thread < n % 4)
    mine += x[n - 1 - thread];
  // [last-block]
  mine = block_sum(mine);
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = mine;
    __threadfence(); // a block that sees the count also sees the sum
    last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
    __threadfence(); // this block reads the sums after the count
  }
  __syncthreads();
  if (!last)
    return;
  mine = 0;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += BLOCK)
    mine += partials[b];
  mine = block_sum(mine);
  if (threadIdx.x == 0) {
    *sum = mine;
    blocks_done = 0; // for the next launch
  }
  // [end]
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int standard = course::problem_size(1 << 28, 300'007); // fewer without a GPU
  const int n = course::count_argument(argc, argv, 1, "n", standard, 1 << 30);
  const int blocks = (n + BLOCK - 1) / BLOCK, resident = 8 * course::multiprocessors();
  std::vector<float> x(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    x[i] = i % 1021 / 1024.0f; // multiples of 1/1024: their sum is exact in double, in any order
    expected += x[i];
  }
  float *d_x;
  double *d_sum, *d_partials, sum;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_sum, sizeof(double)));
  CUDA_CHECK(cudaMalloc(&d_partials, std::max(blocks, resident) * sizeof(double)));
  CUDA_CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  void *workspace;
  std::size_t bytes = 0;
  CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, d_x, d_sum, n));
  CUDA_CHECK(cudaMalloc(&workspace, bytes));
  std::printf("%d floats, %.3f GB; times include setting the result to 0\n\n", n, 4e-9 * n);

  bool correct = true;
  double cub = 0;                                    // GB/s
  const auto run = [&](const char *what, auto add) { // returns GB/s
    const double seconds = course::gpu_seconds(course::problem_size(11, 1), [&] {
      CUDA_CHECK(cudaMemsetAsync(d_sum, 0, sizeof sum));
      add();
      CUDA_CHECK(cudaGetLastError());
    });
    CUDA_CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
    course::figure(what, 4e-9 * n / seconds, "GB/s",
                   {.limit = cub, .limit_is = "CUB", .seconds = seconds});
    return 4e-9 * n / seconds;
  };
  const auto run_and_verify = [&](const char *what, auto add) {
    const double rate = run(what, add);
    correct = course::verify_value(what, sum, expected) && correct;
    return rate;
  };
  if (course::peak_bandwidth() > 0)
    course::figure("peak of the memory", 1e-9 * course::peak_bandwidth(), "GB/s");
  cub = run_and_verify(
      "CUB", [&] { CUDA_CHECK(cub::DeviceReduce::Sum(workspace, bytes, d_x, d_sum, n)); });
  run_and_verify("1 one atomic each", [&] { one_atomic_each<<<blocks, BLOCK>>>(d_x, n, d_sum); });
  run_and_verify("2 tree per block", [&] { tree_per_block<<<blocks, BLOCK>>>(d_x, n, d_sum); });
  run("2 without its atomics (no sum)",
      [&] { tree_without_atomics<<<blocks, BLOCK>>>(d_x, n, d_partials); });
  run_and_verify("3 many per thread",
                 [&] { many_then_shuffles<<<resident, BLOCK>>>(d_x, n, d_sum); });
  run_and_verify("3 with the tree of 2",
                 [&] { many_then_tree<<<resident, BLOCK>>>(d_x, n, d_sum); });
  run_and_verify("5 vector loads", [&] { vector_loads<<<resident, BLOCK>>>(d_x, n, d_sum); });
  run_and_verify("6 one launch",
                 [&] { one_launch<<<resident, BLOCK>>>(d_x, n, d_partials, d_sum); });
  CUDA_CHECK(cudaFree(workspace));
  CUDA_CHECK(cudaFree(d_partials));
  CUDA_CHECK(cudaFree(d_sum));
  CUDA_CHECK(cudaFree(d_x));
  return course::verdict(correct);
}
