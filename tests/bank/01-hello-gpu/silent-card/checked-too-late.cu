// expect: fail because=value
// Asks after it has printed 0 SMs.

#include "common/check.hpp"
#include "common/verify.hpp"

#include <cstdio>
#include <cstdlib>

__global__ void report(int *blocks) {
  if (threadIdx.x == 0)
    atomicAdd(blocks, 1);
}

int main(int argc, char **argv) {
  // 1. Which device: the first, unless the command line says otherwise.
  const int device = argc > 1 ? std::atoi(argv[1]) : 0;
  int sms = 0, sm_threads = 0;

  // TODO 1: find the fault: what happens here when there is no such device?
  const cudaError_t status = cudaSetDevice(device);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&sm_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  // TODO end

  std::printf("device %d: %d SMs, %d threads at once\n", device, sms, sms * sm_threads);
  CUDA_CHECK(status);

  // 2. One block for each multiprocessor; each of them reports.
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
