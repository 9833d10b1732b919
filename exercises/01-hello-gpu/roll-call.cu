// Exercise 01-hello-gpu/roll-call: every thread writes its name.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/01-hello-gpu/roll-call.cu -o roll-call
// Run:   ./roll-call
//
// Thread 2 of block 1 writes 10002.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/01-hello-gpu/roll-call.hpp"

#include <cstdio>
#include <vector>

__global__ void answer(int *names) {
  const int place = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO 1: which name does this thread write?
  // TODO end
}

void roll_call(int blocks, int threads, int *names) {
  const size_t bytes = sizeof(int) * blocks * threads;
  int *d_names = nullptr;
  CUDA_CHECK(cudaMalloc(&d_names, bytes));
  CUDA_CHECK(cudaMemset(d_names, 0xFF, bytes)); // every int is -1

  // TODO 2: launch `answer` with this number of blocks and threads per block
  // TODO end
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(names, d_names, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_names));
}

int main() {
  course::print_device();
  const int blocks = 3, threads = 5;
  std::vector<int> names(blocks * threads);
  roll_call(blocks, threads, names.data());

  for (int block = 0; block < blocks; ++block) {
    for (int thread = 0; thread < threads; ++thread)
      std::printf("%7d", names[block * threads + thread]);
    std::puts("");
  }
  if (names == std::vector<int>(blocks * threads, -1)) {
    std::puts("no result yet: fill in TODO 1 and TODO 2");
    return 1;
  }
  return course::verdict(course::verify("name", names.data(), names.size(),
                                        [](size_t i) { return 10000 * (i / 5) + i % 5; }));
}
