// Lesson 07: four ways to add up an array.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. lessons/07-reduction/reduction.cu -o reduction
// Run:   ./reduction [n]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cstddef>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

constexpr int BLOCK = 256; // threads per block

// Version 1: every thread adds its element to the result.
// [one-atomic-each]
__global__ void one_atomic_each(const float *x, int n, double *sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, double(x[i]));
}
// [end]

// Version 2: a block adds its elements in shared memory, as a tree. One atomic per block.
// [tree-per-block]
__global__ void tree_per_block(const float *x, int n, double *sum) {
  __shared__ double partial[BLOCK];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  partial[t] = i < n ? x[i] : 0; // 0 is the identity of the sum
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    __syncthreads(); // all sums of the previous step are written
    if (t < half)
      partial[t] += partial[t + half];
  }
  if (t == 0)
    atomicAdd(sum, partial[0]);
}
// [end]

// Version 3: every thread adds many elements in a register, then shuffles add a warp's values.
// [many-per-thread]
__global__ void many_per_thread(const float *x, int n, double *sum) {
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += x[i]; // n is at most 2^30, so i cannot overflow
  for (int half = 16; half > 0; half /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, half); // lane k reads lane k + half
  if (threadIdx.x % 32 == 0)
    atomicAdd(sum, mine);
}
// [end]

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int standard = course::problem_size(1 << 28, 1'000'003); // fewer without a GPU
  const int n = course::count_argument(argc, argv, 1, "n", standard, 1 << 30);
  std::printf("%d floats; times include setting the result to 0\n\n", n);

  std::vector<float> x(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    x[i] = i % 1021 / 1024.0f; // multiples of 1/1024: their sum is exact in double, in any order
    expected += x[i];
  }
  const course::Buffer<float> d_x(x);
  const course::Buffer<double> d_sum(1);

  bool correct = true;
  const auto run = [&](const char *name, auto add) { // [&] { ... } is a lambda, lesson 11
    const double seconds = course::gpu_seconds(5, [&] {
      CUDA_CHECK(cudaMemsetAsync(d_sum.data(), 0, d_sum.bytes()));
      add();
      CUDA_CHECK(cudaGetLastError());
    });
    correct &= course::verify_value(name, d_sum.to_host()[0], expected);
    std::printf("  %-18s %9.3f ms %8.1f GB/s\n", name, 1e3 * seconds, 4e-9 * n / seconds);
  };
  const int blocks = (n + BLOCK - 1) / BLOCK;
  const int resident = 8 * course::multiprocessors(); // 2048 threads per multiprocessor
  run("one atomic each", [&] { one_atomic_each<<<blocks, BLOCK>>>(d_x.data(), n, d_sum.data()); });
  run("tree per block", [&] { tree_per_block<<<blocks, BLOCK>>>(d_x.data(), n, d_sum.data()); });
  run("many per thread",
      [&] { many_per_thread<<<resident, BLOCK>>>(d_x.data(), n, d_sum.data()); });

  // Version 4: the library.
  // [cub]
  std::size_t bytes = 0;
  CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, d_x.data(), d_sum.data(), n));
  const course::Buffer<char> workspace(bytes);
  run("CUB", [&] {
    CUDA_CHECK(cub::DeviceReduce::Sum(workspace.data(), bytes, d_x.data(), d_sum.data(), n));
  });
  // [end]
  return course::verdict(correct);
}
