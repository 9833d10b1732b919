// Every CUDA call can fail, and says so only in the value it returns. CUDA_CHECK looks at it.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace course {

// Ends the program with exit code 1 unless `status` is cudaSuccess, and says which call failed,
// where, and why.
inline void check(cudaError_t status, const char *call, const char *file, int line) {
  if (status == cudaSuccess)
    return;
  std::fflush(stdout); // what the program printed before comes before the error
  std::fprintf(stderr, "%s:%d: %s\n  failed: %s (%s)\n", file, line, call,
               cudaGetErrorString(status), cudaGetErrorName(status));
  if (status == cudaErrorNoKernelImageForDevice)
    std::fprintf(stderr,
                 "  it was compiled for other GPUs: compile it where it runs, nvcc -arch=native\n");
  std::exit(EXIT_FAILURE);
}

} // namespace course

// CUDA_CHECK(cudaMalloc(&d_a, bytes));
//
// A launch returns nothing: ask for its error in the next line.
//   add<<<grid, block>>>(d_a, d_b, d_c, n);
//   CUDA_CHECK(cudaGetLastError());
#define CUDA_CHECK(call) ::course::check((call), #call, __FILE__, __LINE__)
