// Lesson 07: the sum of a list on the GPU: from a tree that waits to one that reads as fast as the
// memory allows; and what adding in float costs.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/07-reduction/reduction.cu -o reduction
// Run:   ./reduction [n]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cub/cub.cuh>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

constexpr int block = 256; // threads; a power of two, and a multiple of the warp's 32

// First rung: a tree in shared memory, one element a thread. In each step the threads whose number
// is a multiple of 2, 4, 8, ... add their neighbour's value; block b leaves its sum in out[b].
__global__ void sum_divergent(const float *a, float *out, int n) {
  __shared__ float x[block];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  x[t] = i < n ? a[i] : 0; // past the end: the value that changes no sum
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    if (t % (2 * step) == 0)
      x[t] += x[t + step];
    __syncthreads(); // outside the if: all threads of the block come here
  }
  if (t == 0)
    out[blockIdx.x] = x[0];
}

// Second rung: the same tree, but the threads that still work are neighbours. Whole warps run out
// of work, where before every warp was kept busy for its few working lanes.
__global__ void sum_sequential(const float *a, float *out, int n) {
  __shared__ float x[block];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  x[t] = i < n ? a[i] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half)
      x[t] += x[t + half];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = x[0];
}

// The sum of x over a block, for its thread 0. In a warp the lanes hand each other registers: no
// shared memory, no barrier.
__device__ float warp_sum(float x) {
  for (int half = 16; half > 0; half /= 2)
    x += __shfl_down_sync(0xffffffff, x, half);
  return x;
}
__device__ float block_sum(float x) {
  __shared__ float sums[block / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  x = warp_sum(x);
  if (lane == 0)
    sums[warp] = x;
  __syncthreads();
  return warp_sum(lane < block / 32 ? sums[lane] : 0);
}

// Third rung: each thread first adds many elements by itself, in a register, four to a load; a tree
// follows only once. The block that is last to leave its sum adds the sums: one launch, whatever n.
// `a` begins at a multiple of 16 bytes; `sums` has room for a float of each block.
__device__ unsigned blocks_done; // 0 whenever no kernel runs
__global__ void sum_one_launch(const float *a, float *sums, float *out, int n) {
  const float4 *a4 = reinterpret_cast<const float4 *>(a);
  const int thread = blockIdx.x * block + threadIdx.x, threads = gridDim.x * block;
  float x = 0;
  for (int i = thread; i < n / 4; i += threads) {
    const float4 v = __ldcs(a4 + i); // read once: it need not stay in a cache
    x += (v.x + v.y) + (v.z + v.w);
  }
  if (thread < n % 4)
    x += a[n - 1 - thread];
  x = block_sum(x);

  __shared__ bool last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = x;
    __threadfence(); // whoever sees the counter move also sees the sum
    last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  x = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += block)
    x += __ldcg(sums + i); // from L2, where the other blocks' sums are
  x = block_sum(x);
  if (threadIdx.x == 0) {
    *out = x;
    blocks_done = 0; // for the next launch
  }
}

// Adds n elements in levels: each launch leaves a sum for each block, and the next one adds those.
// The last of them goes to out; `sums` has room for two levels.
template <class Kernel>
void in_levels(Kernel kernel, const float *a, float *sums, float *out, int n) {
  for (int blocks = 0; blocks != 1; a = sums, sums += blocks, n = blocks) {
    blocks = (n + block - 1) / block;
    kernel<<<blocks, block>>>(a, blocks == 1 ? out : sums, n);
    CUDA_CHECK(cudaGetLastError());
  }
}

// Element i: a multiple of 2^-24 from 0 to 1, so that a sum in whole numbers is exact.
__host__ __device__ unsigned numerator(unsigned i) { return 2654435761u * (i + 1) >> 8; }
__host__ __device__ float value(unsigned i) { return numerator(i) * 0x1p-24f; }
double exact_sum(int n) {
  std::uint64_t sum = 0;
  for (int i = 0; i < n; ++i)
    sum += numerator(i);
  return sum * 0x1p-24;
}
__global__ void fill(float *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = value(i);
}

// The elements from first to last - 1 on one core: one after the other, in pairs of halves, and
// Kahan's way, which keeps what each addition rounds away and gives it to the next.
template <class T> T add_in_order(int first, int last) {
  T sum = 0;
  for (int i = first; i < last; ++i)
    sum += value(i);
  return sum;
}
float add_pairwise(int first, int last) {
  if (last - first <= 64)
    return add_in_order<float>(first, last);
  const int middle = first + (last - first) / 2;
  return add_pairwise(first, middle) + add_pairwise(middle, last);
}
float add_kahan(int first, int last) {
  float sum = 0, lost = 0;
  for (int i = first; i < last; ++i) {
    const float x = value(i) - lost, next = sum + x;
    lost = (next - sum) - x; // 0 in exact arithmetic: -ffast-math would remove it
    sum = next;
  }
  return sum;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int standard = course::size(1 << 28, 1'000'003);
  const int n = int(course::count_argument(argc, argv, 1, "n", standard, 1 << 30));

  // 1. The list on the device, and its exact sum.
  const int blocks = 8 * course::multiprocessors(), levels = 2 * ((n + block - 1) / block);
  float *a, *sums, *out;
  CUDA_CHECK(cudaMalloc(&a, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&sums, std::max(levels, blocks) * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&out, sizeof(float)));
  fill<<<(n + block - 1) / block, block>>>(a, n);
  CUDA_CHECK(cudaGetLastError());
  const double exact = exact_sum(n);
  std::printf("%d floats, %.3f GB, whose sum is %.3f\n\n", n, 4e-9 * n, exact);

  // 2. CUB, the library's sum, is the limit. Its first call only says how much memory it needs.
  const int runs = course::size(15, 1);
  std::size_t bytes = 0;
  void *memory;
  CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, a, out, n));
  CUDA_CHECK(cudaMalloc(&memory, bytes));
  bool correct = true;
  double cub = 0;
  float sum = 0;
  const auto measure = [&](const char *what, auto add) {
    const double seconds = course::gpu_seconds(runs, [&] { add(n); }), rate = 4e-9 * n / seconds;
    cub = cub > 0 ? cub : rate;
    course::figure(what, rate, "GB/s", cub, "CUB", seconds);
    for (int count : {std::min(n, 1003), n}) {       // few, so that each element shows; then all
      CUDA_CHECK(cudaMemset(out, 0xFF, sizeof sum)); // NaN
      add(count);
      CUDA_CHECK(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost));
      const double wanted = count == n ? exact : exact_sum(count);
      correct = course::verify_value(what, sum, wanted, 1e-5) && correct;
    }
  };
  measure("CUB's DeviceReduce::Sum",
          [&](int n) { CUDA_CHECK(cub::DeviceReduce::Sum(memory, bytes, a, out, n)); });

  // 3. The three rungs.
  measure("1 divergent", [&](int n) { in_levels(sum_divergent, a, sums, out, n); });
  measure("2 sequential", [&](int n) { in_levels(sum_sequential, a, sums, out, n); });
  measure("3 one launch", [&](int n) {
    sum_one_launch<<<blocks, block>>>(a, sums, out, n);
    CUDA_CHECK(cudaGetLastError());
  });
  std::printf("   whose sum has an error of %.1e\n", std::abs(sum - exact) / exact);

  // 4. What adding in float costs. Past 2^24 a float has no room for what is below 1.
  const int many = course::size(1 << 28, 40'000'000);
  const double exact_many = exact_sum(many);
  std::printf("\n%d floats, whose sum is %.3f, on one core:\n", many, exact_many);
  const auto show = [&](const char *what, double sum) {
    std::printf("   %-28s %13.3f   error %.1e\n", what, sum,
                std::abs(sum - exact_many) / exact_many);
  };
  show("float, one after the other", add_in_order<float>(0, many));
  show("float, pairwise", add_pairwise(0, many));
  show("float, Kahan", add_kahan(0, many));
  show("double, one after the other", add_in_order<double>(0, many));

  CUDA_CHECK(cudaFree(a));
  CUDA_CHECK(cudaFree(sums));
  CUDA_CHECK(cudaFree(out));
  CUDA_CHECK(cudaFree(memory));
  std::puts("");
  return course::verdict(correct);
}
