// Lesson 07, versions: seven kernels that add an array, compared with CUB (version 4 of the page).
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. lessons/07-reduction/reduction-versions.cu -o reduction-versions
// Run:   ./reduction-versions [n]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cstddef>
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

// Adds the values of a block as a tree in shared memory. Thread 0 gets the sum.
__device__ double tree(double mine) {
  __shared__ double partial[BLOCK];
  const int t = threadIdx.x;
  partial[t] = mine;
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      partial[t] += partial[t + half];
  }
  return partial[t];
}

// Version 2: one element per thread, a tree, one atomic per block.
__global__ void tree_per_block(const float *x, int n, double *sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double block = tree(i < n ? x[i] : 0);
  if (threadIdx.x == 0)
    atomicAdd(sum, block);
}

// Version 2 without its atomics. The result is not the sum: only the time matters.
__global__ void tree_without_atomics(const float *x, int n, double *partials) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double block = tree(i < n ? x[i] : 0);
  if (threadIdx.x == 0)
    partials[blockIdx.x] = block;
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
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i];
  const double block = tree(mine);
  if (threadIdx.x == 0)
    atomicAdd(sum, block);
}

// Version 5: every load fetches four floats, 16 bytes. x starts at a multiple of 16 bytes.
// [vector-loads]
__device__ double thread_sum(const float *x, int n) {
  const float4 *x4 = reinterpret_cast<const float4 *>(x);
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  double mine = 0;
  for (int i = thread; i < n / 4; i += threads) {
    const float4 v = x4[i];
    mine += double(v.x) + v.y + v.z + v.w;
  }
  if (thread < n % 4) // up to three elements do not fill a float4
    mine += x[n - 1 - thread];
  return mine;
}

__global__ void vector_loads(const float *x, int n, double *sum) {
  double mine = thread_sum(x, n);
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
  // [last-block]
  double mine = block_sum(thread_sum(x, n));
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
  std::printf("%d floats, %.3f GB; times include setting the result to 0\n\n", n, 4e-9 * n);

  std::vector<float> x(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    x[i] = i % 1021 / 1024.0f; // multiples of 1/1024: their sum is exact in double, in any order
    expected += x[i];
  }
  const int blocks = (n + BLOCK - 1) / BLOCK, resident = 8 * course::multiprocessors();
  const course::Buffer<float> d_x(x);
  const course::Buffer<double> d_sum(1), d_partials(std::max(blocks, resident));

  bool correct = true;
  double cub = 0; // GB/s, as all rates
  const auto run = [&](const char *what, auto add, bool is_sum = true) {
    const double seconds = course::gpu_seconds(course::problem_size(11, 1), [&] {
      CUDA_CHECK(cudaMemsetAsync(d_sum.data(), 0, d_sum.bytes()));
      add();
      CUDA_CHECK(cudaGetLastError());
    });
    const double rate = 4e-9 * n / seconds;
    course::figure(what, rate, "GB/s", {.limit = cub, .limit_is = "CUB", .seconds = seconds});
    if (is_sum)
      correct &= course::verify_value(what, d_sum.to_host()[0], expected);
    return rate;
  };
  std::size_t bytes = 0; // of CUB's workspace
  CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, d_x.data(), d_sum.data(), n));
  const course::Buffer<char> workspace(bytes);
  cub = run("CUB", [&] {
    CUDA_CHECK(cub::DeviceReduce::Sum(workspace.data(), bytes, d_x.data(), d_sum.data(), n));
  });
  run("1 one atomic each",
      [&] { one_atomic_each<<<blocks, BLOCK>>>(d_x.data(), n, d_sum.data()); });
  run("2 tree per block", [&] { tree_per_block<<<blocks, BLOCK>>>(d_x.data(), n, d_sum.data()); });
  const auto without_atomics = [&] {
    tree_without_atomics<<<blocks, BLOCK>>>(d_x.data(), n, d_partials.data());
  };
  run("2 without its atomics (no sum)", without_atomics, false);
  run("3 many per thread",
      [&] { many_then_shuffles<<<resident, BLOCK>>>(d_x.data(), n, d_sum.data()); });
  run("3 with the tree of 2",
      [&] { many_then_tree<<<resident, BLOCK>>>(d_x.data(), n, d_sum.data()); });
  run("5 vector loads", [&] { vector_loads<<<resident, BLOCK>>>(d_x.data(), n, d_sum.data()); });
  run("6 one launch",
      [&] { one_launch<<<resident, BLOCK>>>(d_x.data(), n, d_partials.data(), d_sum.data()); });
  return course::verdict(correct);
}
