// CUDA_CHECK(call) ends a test program unless the call returns cudaSuccess.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

inline void checked_call(cudaError_t status, const char *call, const char *file, int line) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(status));
  std::exit(EXIT_FAILURE);
}
#define CUDA_CHECK(call) checked_call((call), #call, __FILE__, __LINE__)
