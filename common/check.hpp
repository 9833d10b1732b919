// Every CUDA call can fail, and reports the error only in its return value. CUDA_CHECK tests it.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace course {

// If `status` is not cudaSuccess, prints the failed call, its file and line and the reason, and
// ends the program with exit code 1.
inline void check(cudaError_t status, const char *call, const char *file, int line) {
  if (status == cudaSuccess)
    return;
  std::fflush(stdout); // so the program's earlier output comes first
  std::fprintf(stderr, "%s:%d: %s\n  failed: %s (%s)\n", file, line, call,
               cudaGetErrorString(status), cudaGetErrorName(status));
  if (status == cudaErrorNoKernelImageForDevice)
    std::fprintf(
        stderr, "  compiled for a different GPU: compile on this machine with nvcc -arch=native\n");
  std::exit(EXIT_FAILURE);
}

} // namespace course

// CUDA_CHECK(cudaMalloc(&d_a, bytes));
//
// A launch returns no error code: call cudaGetLastError in the next line.
//   add<<<grid, block>>>(d_a, d_b, d_c, n);
//   CUDA_CHECK(cudaGetLastError());
#define CUDA_CHECK(call) ::course::check((call), #call, __FILE__, __LINE__)
