// NCCL and streams.
#include "cases.hpp"

#include <nccl.h>

// case nccl_in_another_stream
// expect: racecheck sum kernel
// says: read by the call of a library queued
// Each device sums in a stream of its own, and the values of device 0 come from another.
__global__ void fill(float *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = float(i); // @kernel
}

CASE(nccl_in_another_stream) {
  constexpr int n = 256;
  ncclComm_t comms[2];
  float *values[2], *sums[2];
  cudaStream_t streams[2], other;
  ncclCommInitAll(comms, 2, nullptr);
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMalloc(&values[device], n * sizeof(float));
    cudaMalloc(&sums[device], n * sizeof(float));
    cudaStreamCreateWithFlags(&streams[device], cudaStreamNonBlocking);
  }
  cudaSetDevice(0);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  const cudaStream_t first = fixed ? streams[0] : other;
  fill<<<2, 128, 0, first>>>(values[0], n);
  cudaSetDevice(1);
  fill<<<2, 128, 0, streams[1]>>>(values[1], n);
  ncclGroupStart();
  for (int device = 0; device < 2; ++device)
    ncclAllReduce(values[device], sums[device], n, ncclFloat, ncclSum, comms[device],
                  streams[device]);
  ncclGroupEnd(); // @sum
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaDeviceSynchronize();
    cudaFree(values[device]);
    cudaFree(sums[device]);
    ncclCommDestroy(comms[device]);
    cudaStreamDestroy(streams[device]);
  }
  cudaStreamDestroy(other);
}

// case nccl_input_not_written
// expect: initcheck sum
// One device's values have never been set.
CASE(nccl_input_not_written) {
  constexpr int n = 256;
  ncclComm_t comms[2];
  float *values[2];
  ncclCommInitAll(comms, 2, nullptr);
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMalloc(&values[device], n * sizeof(float));
    if (fixed || device == 0)
      cudaMemset(values[device], 0, n * sizeof(float));
  }
  ncclGroupStart();
  for (int device = 0; device < 2; ++device)
    ncclAllReduce(values[device], values[device], n, ncclFloat, ncclSum, comms[device], nullptr);
  ncclGroupEnd(); // @sum
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaDeviceSynchronize();
    cudaFree(values[device]);
    ncclCommDestroy(comms[device]);
  }
}

// case nccl_everyone_sends_first
// expect: memcheck sends
// says: deadlock: each of these calls waits for a call that comes after another of them
// says: rank 0: ncclSend to rank 1, 256 x ncclFloat
// says: rank 1: ncclSend to rank 0, 256 x ncclFloat
// Each device sends to the other, and then receives.
CASE(nccl_everyone_sends_first) {
  constexpr int n = 256;
  ncclComm_t comms[2];
  float *from[2], *to[2];
  ncclCommInitAll(comms, 2, nullptr);
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMalloc(&from[device], n * sizeof(float));
    cudaMalloc(&to[device], n * sizeof(float));
    cudaMemset(from[device], 0, n * sizeof(float));
  }
  if (fixed)
    ncclGroupStart();
  for (int device = 0; device < 2; ++device) {
    ncclSend(from[device], n, ncclFloat, 1 - device, comms[device], nullptr); // @sends
    ncclRecv(to[device], n, ncclFloat, 1 - device, comms[device], nullptr);
  }
  if (fixed)
    ncclGroupEnd();
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    static_cast<void>(cudaDeviceSynchronize());
    static_cast<void>(cudaFree(from[device]));
    static_cast<void>(cudaFree(to[device]));
    ncclCommDestroy(comms[device]);
  }
}
