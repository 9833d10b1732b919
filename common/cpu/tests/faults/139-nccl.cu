// NCCL and streams.
#include "cases.hpp"

#include <nccl.h>

// Two devices, with an array to send and one to receive each. Of the arrays to send, the first
// `written` are set to 0.
constexpr int n = 256;
struct Ranks {
  ncclComm_t comms[2];
  float *from[2], *to[2];

  explicit Ranks(int written) {
    ncclCommInitAll(comms, 2, nullptr);
    for (int device = 0; device < 2; ++device) {
      cudaSetDevice(device);
      from[device] = device < written ? array<float>(n, 0) : array<float>(n);
      to[device] = array<float>(n);
    }
  }
  Ranks(const Ranks &) = delete;
  Ranks &operator=(const Ranks &) = delete;
  ~Ranks() {
    for (int device = 0; device < 2; ++device) {
      cudaSetDevice(device);
      static_cast<void>(cudaDeviceSynchronize());
      ncclCommDestroy(comms[device]);
    }
  }
};

// case nccl_in_another_stream
// expect: racecheck sum kernel
// says: read by the call of a library queued
// Each device sums in a stream of its own, and the values of device 0 come from another.
__global__ void fill(float *values) {
  values[threadIdx.x] = float(threadIdx.x); // @kernel
}

CASE(nccl_in_another_stream) {
  const Ranks ranks(0);
  const Stream second(cudaStreamNonBlocking); // of device 1
  fill<<<1, n, 0, second>>>(ranks.from[1]);
  cudaSetDevice(0);
  const Stream first(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  fill<<<1, n, 0, fixed ? first : other>>>(ranks.from[0]);
  ncclGroupStart();
  for (int device = 0; device < 2; ++device)
    ncclAllReduce(ranks.from[device], ranks.to[device], n, ncclFloat, ncclSum, ranks.comms[device],
                  device == 0 ? first : second);
  ncclGroupEnd(); // @sum
}

// case nccl_input_not_written
// expect: initcheck sum
// One device's values have never been set.
CASE(nccl_input_not_written) {
  const Ranks ranks(fixed ? 2 : 1);
  ncclGroupStart();
  for (int device = 0; device < 2; ++device)
    ncclAllReduce(ranks.from[device], ranks.from[device], n, ncclFloat, ncclSum,
                  ranks.comms[device], nullptr);
  ncclGroupEnd(); // @sum
}

// case nccl_everyone_sends_first
// expect: memcheck sends
// says: deadlock: each of these calls waits for a call that comes after another of them
// says: rank 0: ncclSend to rank 1, 256 x ncclFloat
// says: rank 1: ncclSend to rank 0, 256 x ncclFloat
// Each device sends to the other, and then receives.
CASE(nccl_everyone_sends_first) {
  const Ranks ranks(2);
  if (fixed)
    ncclGroupStart();
  for (int device = 0; device < 2; ++device) {
    ncclSend(ranks.from[device], n, ncclFloat, 1 - device, ranks.comms[device], nullptr); // @sends
    ncclRecv(ranks.to[device], n, ncclFloat, 1 - device, ranks.comms[device], nullptr);
  }
  if (fixed)
    ncclGroupEnd();
}
