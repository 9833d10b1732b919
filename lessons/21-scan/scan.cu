// Lesson 21: the running sums of an array, by one block, in three passes, and by CUB.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/21-scan/scan.cu -o scan
// Run:   ./scan [n]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cstddef>
#include <cstdio>
#include <cub/cub.cuh>
#include <numeric>
#include <vector>

constexpr int BLOCK = 1024; // threads per block

// [warp-scan]
__device__ int warp_scan(int x) { // lane k returns the sum of lanes 0 to k
  const int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    const int left = __shfl_up_sync(0xffffffff, x, step); // lane k reads lane k - step
    if (lane >= step)
      x += left;
  }
  return x;
}
// [end]

// For blocks of whole warps, up to 32.
// [block-scan]
__device__ int block_scan(int x, int &total) { // thread t returns the sum of threads 0 to t
  __shared__ int sums[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  x = warp_scan(x);
  if (lane == 31)
    sums[warp] = x; // the sum of this warp
  __syncthreads();
  if (warp == 0)
    sums[lane] = warp_scan(lane < int(blockDim.x) / 32 ? sums[lane] : 0); // warps 0 to lane
  __syncthreads();
  x += warp > 0 ? sums[warp - 1] : 0;
  total = sums[31];
  __syncthreads(); // all threads have read the sums before the next call writes them
  return x;
}
// [end]

// The sum of each chunk of the array.
__global__ void sum_chunks(const int *in, int n, int chunk, int *sums) {
  const int begin = blockIdx.x * chunk, end = min(begin + chunk, n);
  int mine = 0, total;
  for (int i = begin + threadIdx.x; i < end; i += BLOCK)
    mine += in[i];
  block_scan(mine, total);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = total;
}

// Each block scans its chunk of the array. before[b] is the sum of chunks 0 to b.
// [scan-chunks]
__global__ void scan_chunks(const int *in, int *out, int n, int chunk, const int *before) {
  const int begin = blockIdx.x * chunk, end = min(begin + chunk, n);
  int carry = blockIdx.x > 0 ? before[blockIdx.x - 1] : 0;
  for (int tile = begin; tile < end; tile += BLOCK) { // the same number of rounds in all threads
    const int i = tile + threadIdx.x;
    int total;
    const int sum = block_scan(i < end ? in[i] : 0, total);
    if (i < end)
      out[i] = carry + sum;
    carry += total;
  }
}
// [end]

// d_chunks has one element for each chunk.
// [three-passes]
void three_passes(const int *d_x, int *d_sums, int n, int chunk, int *d_chunks, int blocks) {
  sum_chunks<<<blocks, BLOCK>>>(d_x, n, chunk, d_chunks);
  scan_chunks<<<1, BLOCK>>>(d_chunks, d_chunks, blocks, blocks, nullptr);
  scan_chunks<<<blocks, BLOCK>>>(d_x, d_sums, n, chunk, d_chunks);
}
// [end]

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int standard = course::problem_size(1 << 28, 1'000'003); // fewer without a GPU
  const int n = course::count_argument(argc, argv, 1, "n", standard, 1 << 28);

  std::vector<int> x(n), expected(n);
  for (int i = 0; i < n; ++i)
    x[i] = i * 2654435761u >> 29; // 0 to 7, so that the sum of 2^28 numbers fits into an int
  std::partial_sum(x.begin(), x.end(), expected.begin());

  const int blocks = 2 * course::multiprocessors(); // 2048 threads per multiprocessor
  const int chunk = (n / blocks / BLOCK + 1) * BLOCK;
  const course::Buffer<int> d_x(x), d_sums(n), d_chunks(blocks);

  std::size_t bytes = 0; // of CUB's workspace, computed by the first call
  CUDA_CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, d_x.data(), d_sums.data(), n));
  const course::Buffer<char> workspace(bytes);

  bool correct = true;
  std::printf("running sums of %d ints\n\n", n);
  const auto run = [&](const char *name, auto scan) {
    CUDA_CHECK(cudaMemset(d_sums.data(), 0xFF, d_sums.bytes()));
    const double seconds = course::gpu_seconds(5, scan);
    CUDA_CHECK(cudaGetLastError());
    const std::vector<int> sums = d_sums.to_host();
    correct &= course::verify(name, sums.data(), n, [&](std::size_t i) { return expected[i]; });
    std::printf("  %-12s %9.3f ms %8.1f GB/s\n", name, 1e3 * seconds, 8e-9 * n / seconds);
  };
  run("one block", [&] { scan_chunks<<<1, BLOCK>>>(d_x.data(), d_sums.data(), n, n, nullptr); });
  run("three passes",
      [&] { three_passes(d_x.data(), d_sums.data(), n, chunk, d_chunks.data(), blocks); });
  run("CUB", [&] {
    CUDA_CHECK(
        cub::DeviceScan::InclusiveSum(workspace.data(), bytes, d_x.data(), d_sums.data(), n));
  });
  return course::verdict(correct);
}
