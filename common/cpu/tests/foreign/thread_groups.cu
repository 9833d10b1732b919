// One function for groups of any kind, groups made by a value, structures that a
// group passes on.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <stdio.h>

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

int main() {
  int *x;
  float *passed;
  cudaMallocManaged(&x, 128 * sizeof(int));
  cudaMallocManaged(&passed, 64 * sizeof(float));
  kernel<<<1, 64>>>(x, x + 1, x + 64, passed);
  bool right = cudaDeviceSynchronize() == cudaSuccess && x[0] == 63 * 32;
  for (int t = 0; t < 4; ++t)
    right = right && x[1 + t] == 16 * 16 * t + 120;
  for (int i = 0; i < 64; ++i) {
    const int first = i / 32 * 32 + i % 2;
    right = right && x[64 + i] == 16 * first + 240;
    right = right && passed[i] == i / 32 * 32 + 7;
  }
  cudaFree(x);
  cudaFree(passed);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
