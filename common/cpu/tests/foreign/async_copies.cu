// Copies to shared memory in the background: cuda::pipeline of a thread and of a block, with and
// without roles; cuda::barrier; cooperative groups; __pipeline_*.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int width = 64, tiles = 10, stages = 3;

__device__ int turned(const int *line) { return line[width - 1 - threadIdx.x]; }

__global__ void by_threads(const int *in, int *out) {
  __shared__ int line[2][width];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const auto four = cuda::aligned_size_t<alignof(int)>(sizeof(int));
  for (int tile = 0; tile < tiles; ++tile) {
    const int at = tile * width + threadIdx.x;
    pipe.producer_acquire();
    cuda::memcpy_async(&line[0][threadIdx.x], &in[at], four, pipe);
    pipe.producer_commit();
    __pipeline_memcpy_async(&line[1][threadIdx.x], &in[at], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    if (tile % 2 == 0)
      pipe.consumer_wait();
    else
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    out[at] = turned(line[0]) + turned(line[1]);
    pipe.consumer_release();
    __syncthreads();
  }
}

__global__ void by_groups(const int *in, int *out) {
  __shared__ int line[2][width];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  const cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&barrier, block.size());
  block.sync();
  for (int tile = 0; tile < tiles; ++tile) {
    cg::memcpy_async(block, line[0], in + tile * width, sizeof line[0]);
    cuda::memcpy_async(block, line[1], in + tile * width, sizeof line[1], barrier);
    barrier.arrive_and_wait();
    cg::wait(block);
    out[tile * width + threadIdx.x] = turned(line[0]) + turned(line[1]);
    block.sync();
  }
}

// Two warps consume what a third one brings.
__global__ void by_roles(const int *in, int *out) {
  __shared__ int lines[stages][width];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const cg::thread_block block = cg::this_thread_block();
  const bool produces = threadIdx.x >= width;
  auto pipe = cuda::make_pipeline(
      block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (int tile = 0; tile < tiles; ++tile) {
    int *line = lines[tile % stages];
    if (produces) {
      pipe.producer_acquire();
      for (int i = threadIdx.x - width; i < width; i += 32)
        cuda::memcpy_async(line + i, in + tile * width + i, sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      out[tile * width + threadIdx.x] = 2 * turned(line);
      pipe.consumer_release();
    }
  }
}

__global__ void by_all(const int *in, int *out) {
  __shared__ int lines[2][width];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int use = 0, load = 0; use < tiles; ++use) {
    for (; load < tiles && load < use + 2; ++load) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, lines[load % 2], in + load * width, sizeof lines[0], pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[use * width + threadIdx.x] = 2 * turned(lines[use % 2]);
    pipe.consumer_release();
  }
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, tiles * width * sizeof(int));
  cudaMallocManaged(&out, tiles * width * sizeof(int));
  for (int i = 0; i < tiles * width; ++i)
    in[i] = i * i;
  bool ok = true;
  for (int way = 0; way < 4; ++way) {
    cudaMemset(out, 0, tiles * width * sizeof(int));
    if (way == 0)
      by_threads<<<1, width>>>(in, out);
    else if (way == 1)
      by_groups<<<1, width>>>(in, out);
    else if (way == 2)
      by_roles<<<1, width + 32>>>(in, out);
    else
      by_all<<<1, width>>>(in, out);
    ok &= cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < tiles * width; ++i)
      ok &= out[i] == 2 * in[i / width * width + width - 1 - i % width];
  }
  cudaFree(in);
  cudaFree(out);
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
