// Cooperative groups and barriers.
#include "parts.hpp"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdint>
#include <cstdio>
#include <cuda/barrier>
#include <stdio.h>
#include <utility>

// Tiles of more than a warp: ranks, exchanges between their threads, and reductions.
namespace large_tiles {
namespace cg = cooperative_groups;

template <unsigned Size> __global__ void sums(int *sum, int *reversed, int *faults) {
  __shared__ cg::block_tile_memory<256> memory;
  __shared__ int values[256];
  const cg::thread_block block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<Size>(block);
  const unsigned rank = tile.thread_rank(), first = tile.meta_group_rank() * Size;
  for (int round = 0; round < 3; ++round) {
    values[threadIdx.x] = threadIdx.x + round;
    tile.sync();
    reversed[threadIdx.x] = values[first + Size - 1 - rank];
    cg::sync(tile);
  }
  const int total = cg::reduce(tile, int(threadIdx.x), cg::plus<int>());
  const int largest = cg::reduce(tile, int(threadIdx.x), cg::greater<int>());
  if (tile.shfl(int(threadIdx.x), 40) != int(first) + 40 || !tile.any(rank == 33) ||
      tile.all(rank != 33) || largest != int(first + Size - 1))
    atomicAdd(faults, 1);
  if (rank == 0)
    sum[tile.meta_group_rank()] = total;
}

template <unsigned Size> static bool is_right() {
  int *memory = managed<int>(300);
  int *reversed = memory + 8, *faults = memory + 299;
  *faults = 0;
  sums<Size><<<1, 256>>>(memory, reversed, faults);
  bool ok = cudaDeviceSynchronize() == cudaSuccess && *faults == 0;
  for (unsigned i = 0; i < 256; ++i)
    ok &= reversed[i] == int(i / Size * Size + Size - 1 - i % Size) + 2;
  for (unsigned tile = 0; tile < 256 / Size; ++tile)
    ok &= memory[tile] == int(Size * (2 * tile * Size + Size - 1) / 2);
  cudaFree(memory);
  return ok;
}

bool is_right() { return is_right<64>() && is_right<128>() && is_right<256>(); }
} // namespace large_tiles

// One function for groups of any kind, groups made by a value, structures that a
// group passes on.
namespace thread_groups {
namespace cg = cooperative_groups;

__device__ int sum(cg::thread_group group, int *memory, int value) {
  const unsigned rank = group.thread_rank();
  for (unsigned half = group.size() / 2; half > 0; half /= 2) {
    memory[rank] = value;
    group.sync();
    if (rank < half)
      value += memory[rank + half];
    group.sync();
  }
  return value;
}

struct Triple {
  float a, b, c;
};

__global__ void kernel(int *block_sum, int *tile_sum, int *of_parity, float *passed) {
  __shared__ int memory[64];
  const int i = threadIdx.x;
  const cg::thread_block block = cg::this_thread_block();
  const int of_block = sum(block, memory, i);
  if (i == 0)
    *block_sum = of_block;
  block.sync();
  const cg::thread_group tile = cg::tiled_partition(block, 16);
  const int of_tile = sum(tile, memory + i / 16 * 16, i);
  if (tile.thread_rank() == 0)
    tile_sum[i / 16] = of_tile;

  const auto warp = cg::tiled_partition<32>(block);
  const auto parity = cg::binary_partition(warp, i % 2 == 1);
  of_parity[i] = cg::reduce(parity, i, cg::plus<int>());
  passed[i] = warp.shfl(Triple{1.f, 2.f, float(i)}, 7).c;
}

// Two blocks of 64 threads: ranks and sizes of all groups, by the indices that CUDA gives.
__global__ void ranks(int *wrong) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto label = cg::labeled_partition(warp, threadIdx.x % 4);
  const bool right = grid.num_blocks() == 2 && grid.num_threads() == 128 &&
                     grid.block_rank() == blockIdx.x && block.num_threads() == 64 &&
                     block.group_index().x == blockIdx.x && block.thread_index().x == threadIdx.x &&
                     warp.num_threads() == 32 && warp.meta_group_size() == 2 && label.size() == 8;
  if (!right)
    atomicAdd(wrong, 1);
}

bool is_right() {
  int *x = managed<int>(129);
  x[128] = 0;
  float *passed = managed<float>(64);
  kernel<<<1, 64>>>(x, x + 1, x + 64, passed);
  ranks<<<2, 64>>>(x + 128);
  bool right = cudaDeviceSynchronize() == cudaSuccess && x[0] == 63 * 32 && x[128] == 0;
  for (int t = 0; t < 4; ++t)
    right = right && x[1 + t] == 16 * 16 * t + 120;
  for (int i = 0; i < 64; ++i) {
    const int first = i / 32 * 32 + i % 2;
    right = right && x[64 + i] == 16 * first + 240;
    right = right && passed[i] == i / 32 * 32 + 7;
  }
  return right;
}
} // namespace thread_groups

// Shuffles, matches and reductions over a warp take bool, char and short as int; the reductions of
// bits take int as unsigned.
namespace small_shuffles {
struct Result {
  int from_left, from_flag, group, sum, bits;
};

__global__ void exchange(Result *result) {
  const int lane = threadIdx.x;
  const std::int16_t small = static_cast<std::int16_t>(-lane);
  const bool odd = lane % 2;
  const unsigned char letter = static_cast<unsigned char>(lane / 8);
  static_assert(sizeof __shfl_sync(~0u, odd, 1) == sizeof(int), "as nvcc has it");
  result[lane] = {__shfl_up_sync(~0u, small, 1), __shfl_sync(~0u, odd, 1),
                  static_cast<int>(__match_any_sync(~0u, letter)), __reduce_add_sync(~0u, small),
                  static_cast<int>(__reduce_or_sync(~0u, lane))};
}

bool is_right() {
  Result *result = managed<Result>(32);
  exchange<<<1, 32>>>(result);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int lane = 0; lane < 32; ++lane) {
    const Result &r = result[lane];
    const int left = lane ? lane - 1 : 0;
    right = right && r.from_left == -left && r.from_flag == 1 && r.sum == -496 && r.bits == 31 &&
            static_cast<unsigned>(r.group) == 0xFFu << lane / 8 * 8;
  }
  return right;
}
} // namespace small_shuffles

// cuda/barrier: threads arrive, do other work, and wait for what the others wrote before.
namespace cuda_barrier {
__global__ void rotate(int *values, int rounds) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int line[96];
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  int mine = threadIdx.x;
  for (int round = 0; round < rounds; ++round) {
    line[threadIdx.x] = mine;
    auto token = barrier.arrive();
    const int next = (threadIdx.x + 1) % blockDim.x;
    barrier.wait(std::move(token));
    mine = line[next];
    barrier.arrive_and_wait();
  }
  values[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

bool is_right() {
  constexpr int blocks = 3, threads = 96, rounds = 5;
  int *values = managed<int>(blocks * threads);
  rotate<<<blocks, threads>>>(values, rounds);
  bool ok = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < blocks * threads; ++i)
    ok &= values[i] == (i % threads + rounds) % threads;
  return ok;
}
} // namespace cuda_barrier

int main() {
  return run_parts({{"large_tiles", large_tiles::is_right},
                    {"thread_groups", thread_groups::is_right},
                    {"small_shuffles", small_shuffles::is_right},
                    {"cuda_barrier", cuda_barrier::is_right}});
}
