// nvcc: -std=c++17
// Some lanes go in step, while other threads of the block wait for them.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/barrier>
namespace cg = cooperative_groups;

__global__ void at_barrier(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int v[64];
  const int t = threadIdx.x;
  if (t == 0)
    init(&barrier, blockDim.x);
  v[t] = t;
  __syncthreads();
  if (t < 10)
    v[t] += v[t ^ 1];
  barrier.arrive_and_wait();
  out[t] = v[63 - t];
}

__global__ void in_tile(int *out) {
  __shared__ int v[128];
  const int t = threadIdx.x;
  v[t] = t;
  const auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  if (t % 64 < 10)
    v[t] += v[t ^ 1];
  tile.sync();
  out[t] = v[t ^ 63];
}

__global__ void for_flag(int *out) {
  __shared__ int flag, v[32];
  const int t = threadIdx.x;
  flag = 0;
  v[t] = t;
  __syncwarp();
  if (t >= 10) {
    while (atomicAdd(&flag, 0) == 0)
      __nanosleep(10);
  } else {
    v[t] += v[t ^ 1];
    atomicExch(&flag, 1);
  }
  out[t] = v[t];
}

int sum_of(int t) { return t < 10 ? t + (t ^ 1) : t; }

int main() {
  int *out, wrong = 0;
  cudaMallocManaged(&out, 128 * sizeof *out);
  at_barrier<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  for (int t = 0; t < 64; ++t)
    wrong += out[63 - t] != sum_of(t);
  in_tile<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  for (int t = 0; t < 128; ++t)
    wrong += out[t ^ 63] != sum_of(t % 64) + t / 64 * 64 * (t % 64 < 10 ? 2 : 1);
  for_flag<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int t = 0; t < 32; ++t)
    wrong += out[t] != sum_of(t);
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
