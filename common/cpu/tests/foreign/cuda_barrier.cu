// cuda/barrier: threads arrive, do other work, and wait for what the others wrote before.
#include <cuda/barrier>

#include <cstdio>
#include <utility>

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

int main() {
  constexpr int blocks = 3, threads = 96, rounds = 5;
  int *values;
  cudaMallocManaged(&values, blocks * threads * sizeof *values);
  rotate<<<blocks, threads>>>(values, rounds);
  bool ok = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < blocks * threads; ++i)
    ok &= values[i] == (i % threads + rounds) % threads;
  cudaFree(values);
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
