// Lesson 21, versions: faster running sums, and a histogram, each compared with CUB. Versions 1 and
// 2 of the running sums are in scan.cu.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. lessons/21-scan/scan-versions.cu -o scan-versions
// Run:   ./scan-versions [n]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cstddef>
#include <cstdio>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <numeric>
#include <string>
#include <vector>

constexpr int BLOCK = 1024; // threads of a block, except in kernels with tiles

// ---- As in scan.cu ----

__device__ int warp_scan(int x) { // lane k returns the sum of lanes 0 to k
  const int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    const int left = __shfl_up_sync(0xffffffff, x, step);
    if (lane >= step)
      x += left;
  }
  return x;
}

__device__ int block_scan(int x, int &total) { // thread t returns the sum of threads 0 to t
  __shared__ int sums[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  x = warp_scan(x);
  if (lane == 31)
    sums[warp] = x;
  __syncthreads();
  if (warp == 0)
    sums[lane] = warp_scan(lane < int(blockDim.x) / 32 ? sums[lane] : 0);
  __syncthreads();
  x += warp > 0 ? sums[warp - 1] : 0;
  total = sums[31];
  __syncthreads();
  return x;
}

// Scans an array in place, with a single block.
__global__ void scan_by_one_block(int *sums, int n) {
  int carry = 0;
  for (int tile = 0; tile < n; tile += BLOCK) {
    const int i = tile + threadIdx.x;
    int total;
    const int sum = block_scan(i < n ? sums[i] : 0, total);
    if (i < n)
      sums[i] = carry + sum;
    carry += total;
  }
}

// ---- A tile in registers: 16 bytes per load ----

// A warp holds ROWS rows of 128 consecutive numbers, a lane four numbers of each row: one load.
// Both arrays begin at a multiple of 16 bytes, as all memory from cudaMalloc does.
constexpr int THREADS = 512, ROWS = 6, TILE = 4 * ROWS * THREADS;

__device__ int first_of_lane(int tile) {
  return tile * TILE + threadIdx.x / 32 * (ROWS * 128) + threadIdx.x % 32 * 4;
}

__device__ void load_tile(const int *in, int n, int tile, int4 (&v)[ROWS]) {
  const int first = first_of_lane(tile);
  const auto at = [&](int i) { return i < n ? in[i] : 0; };
  if ((tile + 1) * TILE <= n)
    for (int row = 0; row < ROWS; ++row)
      v[row] = *reinterpret_cast<const int4 *>(in + first + 128 * row);
  else // the last tile
    for (int row = 0, i = first; row < ROWS; ++row, i += 128)
      v[row] = {at(i), at(i + 1), at(i + 2), at(i + 3)};
}

// Stores the numbers of a tile, each with `before` added.
__device__ void store_tile(int *out, int n, int tile, const int4 (&v)[ROWS], int before) {
  const int first = first_of_lane(tile);
  for (int row = 0, i = first; row < ROWS; ++row, i += 128) {
    const int4 x = {before + v[row].x, before + v[row].y, before + v[row].z, before + v[row].w};
    if (i + 3 < n)
      *reinterpret_cast<int4 *>(out + i) = x;
    else
      for (int k = 0; i + k < n; ++k) // up to three sums
        out[i + k] = k == 0 ? x.x : k == 1 ? x.y : x.z;
  }
}

// Turns the numbers of a warp into their running sums, and returns their total.
__device__ int scan_rows(int4 (&v)[ROWS]) {
  int total = 0; // of the rows so far
  for (int row = 0; row < ROWS; ++row) {
    int4 &x = v[row];
    x = {x.x, x.x + x.y, x.x + x.y + x.z, x.x + x.y + x.z + x.w};
    const int through = warp_scan(x.w); // the sum of lanes 0 to this one
    const int before = total + through - x.w;
    x = {before + x.x, before + x.y, before + x.z, before + x.w};
    total += __shfl_sync(0xffffffff, through, 31);
  }
  return total;
}

// Version 3: the three passes, with tiles. Pass 1: the sum of each tile.
__global__ void sum_tiles(const int *in, int n, int *sums) {
  int4 v[ROWS];
  load_tile(in, n, blockIdx.x, v);
  int mine = 0, total;
  for (const int4 &x : v)
    mine += x.x + x.y + x.z + x.w;
  block_scan(mine, total);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = total;
}

// Pass 3: each tile again. sums[t] is the sum of tiles 0 to t.
__global__ void scan_tiles(const int *in, int *out, int n, const int *sums) {
  const int tile = blockIdx.x;
  int4 v[ROWS];
  load_tile(in, n, tile, v);
  int total;
  const int of_warp = scan_rows(v);
  const int warps_before = block_scan(threadIdx.x % 32 == 0 ? of_warp : 0, total) - of_warp;
  store_tile(out, n, tile, v, (tile > 0 ? sums[tile - 1] : 0) + warps_before);
}

// ---- One pass: decoupled look-back ----

// The published word of a tile: a status in the upper half of the word, a sum in the lower half.
using Word = unsigned long long;
enum Status : unsigned { NOTHING, TILE_SUM, RUNNING_SUM }; // NOTHING: the word is 0

__device__ Status status(Word word) { return Status(word >> 32); }
__device__ int sum_of(Word word) { return int(unsigned(word)); }
__device__ Word word_of(Status status, int sum) { return Word(status) << 32 | unsigned(sum); }

// Relaxed: nothing else has to be visible with the word, so no fence is needed.
__device__ Word read(Word *word) {
  return cuda::atomic_ref<Word, cuda::thread_scope_device>(*word).load(cuda::memory_order_relaxed);
}
__device__ void publish(Word *word, Status status, int sum) {
  cuda::atomic_ref<Word, cuda::thread_scope_device>(*word).store(word_of(status, sum),
                                                                 cuda::memory_order_relaxed);
}

// The sum of all tiles before this one. A whole warp calls it, and reads 32 words at a time.
// [look-back]
__device__ int look_back(Word *words, int tile) {
  const int lane = threadIdx.x % 32;
  int before = 0;
  for (int last = tile - 1;; last -= 32) {
    const int other = last - lane; // lane 0 reads the nearest tile
    Word word;
    do
      word = other < 0 ? word_of(RUNNING_SUM, 0) : read(words + other);
    while (__any_sync(0xffffffff, status(word) == NOTHING));
    const unsigned complete = __ballot_sync(0xffffffff, status(word) == RUNNING_SUM);
    const int nearest = complete ? __ffs(complete) - 1 : 31;
    int sum = lane <= nearest ? sum_of(word) : 0;
    for (int half = 16; half > 0; half /= 2)
      sum += __shfl_xor_sync(0xffffffff, sum, half); // all lanes get the sum
    before += sum;
    if (complete)
      return before;
  }
}
// [end]

// Version 4. *taken and all words are 0 at the beginning.
__global__ void __launch_bounds__(THREADS)
    one_pass(const int *in, int *out, int n, Word *taken, Word *words) {
  __shared__ int tile, before;
  if (threadIdx.x == 0)
    tile = int(atomicAdd(taken, 1)); // not blockIdx.x: all earlier tiles have been started
  __syncthreads();
  int4 v[ROWS];
  load_tile(in, n, tile, v);
  int total;
  const int of_warp = scan_rows(v);
  const int warps_before = block_scan(threadIdx.x % 32 == 0 ? of_warp : 0, total) - of_warp;
  if (threadIdx.x == 0)
    publish(words + tile, TILE_SUM, total);
  if (threadIdx.x < 32) {
    const int sum = look_back(words, tile);
    if (threadIdx.x == 0) {
      before = sum;
      publish(words + tile, RUNNING_SUM, sum + total);
    }
  }
  __syncthreads();
  store_tile(out, n, tile, v, before + warps_before);
}

// ---- Histogram ----

constexpr int BINS = 256; // for the samples 0 to 255

// Version 1: one atomic in device memory for each sample.
__global__ void global_atomics(const int *x, int n, int *counts) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&counts[x[i]], 1);
}

// Version 2: counts per block, in shared memory.
__global__ void shared_counts(const int *x, int n, int *counts) {
  __shared__ int mine[BINS];
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    mine[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[x[i]], 1);
  __syncthreads();
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x)
    atomicAdd(&counts[bin], mine[bin]);
}

// ---- Measurements ----

// The results of one input. The first version is CUB, and the others are compared with it.
struct Results {
  double bytes; // that each version must move
  const course::Buffer<int> &got;
  const std::vector<int> &expected;
  double cub = 0; // GB/s
  bool correct = true;

  template <class Work> void add(const std::string &name, Work work) {
    CUDA_CHECK(cudaMemset(got.data(), 0xFF, got.bytes()));
    const double seconds = course::gpu_seconds(course::problem_size(11, 1), work);
    CUDA_CHECK(cudaGetLastError());
    const double rate = 1e-9 * bytes / seconds;
    course::figure(name.c_str(), rate, "GB/s",
                   {.limit = cub, .limit_is = "CUB", .seconds = seconds});
    if (cub == 0)
      cub = rate;
    correct &= course::verify(name.c_str(), got.to_host().data(), expected.size(),
                              [&](std::size_t i) { return expected[i]; });
  }
};

bool scans(int n) {
  std::vector<int> x(n), expected(n);
  for (int i = 0; i < n; ++i)
    x[i] = i * 2654435761u >> 29; // 0 to 7, so that the sum of 2^28 numbers fits into an int
  std::partial_sum(x.begin(), x.end(), expected.begin());
  std::printf("running sums of %d ints; each is read and written once: %.3f GB\n\n", n, 8e-9 * n);

  const int tiles = (n - 1) / TILE + 1;
  const course::Buffer<int> d_x(x), d_sums(n), d_tile_sums(tiles);
  const course::Buffer<Word> d_words(tiles + 1); // then the number of tiles that are taken
  std::size_t bytes = 0;
  CUDA_CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, d_x.data(), d_sums.data(), n));
  const course::Buffer<char> workspace(bytes);

  Results results{8.0 * n, d_sums, expected};
  results.add("CUB scan", [&] {
    CUDA_CHECK(
        cub::DeviceScan::InclusiveSum(workspace.data(), bytes, d_x.data(), d_sums.data(), n));
  });
  results.add("3 three passes, tiles of 12288", [&] {
    sum_tiles<<<tiles, THREADS>>>(d_x.data(), n, d_tile_sums.data());
    scan_by_one_block<<<1, BLOCK>>>(d_tile_sums.data(), tiles);
    scan_tiles<<<tiles, THREADS>>>(d_x.data(), d_sums.data(), n, d_tile_sums.data());
  });
  results.add("4 one pass, tiles of 12288", [&] {
    CUDA_CHECK(cudaMemsetAsync(d_words.data(), 0, d_words.bytes()));
    one_pass<<<tiles, THREADS>>>(d_x.data(), d_sums.data(), n, d_words.data() + tiles,
                                 d_words.data());
  });
  return results.correct;
}

bool histograms(int n, bool equal) {
  const std::string input = equal ? ", equal" : ", random";
  std::vector<int> x(n), expected(BINS);
  unsigned random = 21;
  for (int i = 0; i < n; ++i) {
    random = 1664525 * random + 1013904223;
    x[i] = equal ? 200 : random >> 24;
    ++expected[x[i]];
  }
  std::printf("\nhistogram of %d ints%s\n\n", n, input.c_str());

  const course::Buffer<int> d_x(x), d_counts(BINS);
  const auto library = [&](void *workspace, std::size_t &bytes) {
    CUDA_CHECK(cub::DeviceHistogram::HistogramEven(workspace, bytes, d_x.data(), d_counts.data(),
                                                   BINS + 1, 0, BINS, n));
  };
  std::size_t bytes = 0;
  library(nullptr, bytes);
  const course::Buffer<char> workspace(bytes);

  const int blocks = 2 * course::multiprocessors();
  Results results{4.0 * n, d_counts, expected};
  const auto run = [&](const char *version, auto count) {
    results.add(version + input, [&] {
      CUDA_CHECK(cudaMemsetAsync(d_counts.data(), 0, d_counts.bytes()));
      count();
    });
  };
  run("CUB histogram", [&] { library(workspace.data(), bytes); });
  run("1 global atomics",
      [&] { global_atomics<<<blocks, BLOCK>>>(d_x.data(), n, d_counts.data()); });
  run("2 counts per block",
      [&] { shared_counts<<<blocks, BLOCK>>>(d_x.data(), n, d_counts.data()); });
  return results.correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int standard = course::problem_size(1 << 28, 300'007); // fewer without a GPU
  const int n = course::count_argument(argc, argv, 1, "n", standard, 1 << 28);
  bool correct = scans(n);
  correct &= histograms(n, false);
  correct &= histograms(n, true);
  return course::verdict(correct);
}
