// Tiles of more than a warp: ranks, exchanges between their threads, and reductions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

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
  int *memory;
  cudaMallocManaged(&memory, 300 * sizeof(int));
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

int main() {
  const bool ok = is_right<64>() && is_right<128>() && is_right<256>();
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
