// Checks of calls: CubDebug(call) is the call's error, which CubDebugExit(call) ends the program
// with. The error is printed where the program defines CUB_STDERR.
#pragma once

#include "../cuda_runtime.h"

#include <cstdio>
#include <cstdlib>

COURSE_CPU_BOTH_SPACES

namespace cub {

inline cudaError_t Debug(cudaError_t error, [[maybe_unused]] const char *file,
                         [[maybe_unused]] int line) {
  cudaGetLastError(); // `error` holds it
#ifdef CUB_STDERR
  if (error != cudaSuccess)
    std::fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", error, file, line,
                 cudaGetErrorString(error));
#endif
  return error;
}

} // namespace cub

#define CubDebug(call) cub::Debug(call, __FILE__, __LINE__)
#define CubDebugExit(call)                                                                         \
  do {                                                                                             \
    if (cub::Debug(call, __FILE__, __LINE__) != cudaSuccess)                                       \
      std::exit(1);                                                                                \
  } while (0)

COURSE_CPU_BOTH_SPACES_END
