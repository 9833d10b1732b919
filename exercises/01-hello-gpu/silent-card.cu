// Exercise 01-hello-gpu/silent-card: a bug hunt. A correct line is reported.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/01-hello-gpu/silent-card.cu -o silent-card
// Run:   ./silent-card [device]
//
// Prints the number of multiprocessors (SMs) of a device, and launches one block per
// multiprocessor. Device 0 works. `./silent-card 99` prints 0 SMs, and then reports an error in a
// correct line. With CUDA_VISIBLE_DEVICES= before the command, it reports another correct line. The
// call that failed is not reported.

#include "common/check.hpp"
#include "common/verify.hpp"

#include <cstdio>
#include <cstdlib>

__global__ void report(int *blocks) {
  if (threadIdx.x == 0)
    atomicAdd(blocks, 1);
}

int main(int argc, char **argv) {
  // 1. The device: 0, or the argument of the program.
  const int device = argc > 1 ? std::atoi(argv[1]) : 0;
  int sms = 0, sm_threads = 0;

  // TODO 1: find the bug: what happens here if the device does not exist?
  cudaSetDevice(device);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  // TODO end

  std::printf("device %d: %d SMs, %d threads at once\n", device, sms, sms * sm_threads);

  // 2. One block per multiprocessor. Every block adds 1 to the counter.
  int *d_blocks = nullptr;
  CUDA_CHECK(cudaMalloc(&d_blocks, sizeof(int)));
  CUDA_CHECK(cudaMemset(d_blocks, 0, sizeof(int)));
  report<<<sms, 32>>>(d_blocks);
  CUDA_CHECK(cudaGetLastError());
  int blocks = 0;
  CUDA_CHECK(cudaMemcpy(&blocks, d_blocks, sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_blocks));
  std::printf("%d blocks reported\n", blocks);
  return course::verdict(blocks == sms);
}
