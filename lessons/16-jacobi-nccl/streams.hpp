// The two streams of an overlapped exchange: one for the rows that other ranks need, one for the
// rows between them.
#pragma once

#include "common/check.hpp"

struct Streams {
  cudaStream_t edges, inner;
  cudaEvent_t edges_done, inner_done; // the kernels of a step
  Streams() {
    int low, high; // the edges go before the rows that wait for a free multiprocessor
    CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&low, &high));
    CUDA_CHECK(cudaStreamCreateWithPriority(&edges, cudaStreamDefault, high));
    CUDA_CHECK(cudaStreamCreateWithPriority(&inner, cudaStreamDefault, low));
    for (cudaEvent_t *event : {&edges_done, &inner_done})
      CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
  }
  ~Streams() {
    for (cudaStream_t stream : {edges, inner})
      cudaStreamDestroy(stream);
    for (cudaEvent_t event : {edges_done, inner_done})
      cudaEventDestroy(event);
  }
  Streams(const Streams &) = delete;
  Streams &operator=(const Streams &) = delete;
};
