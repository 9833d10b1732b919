// A launch as a program writes it, for kernels and for host files that only name them.
#pragma once

#include "types.h"

namespace course_cpu {

// The place of a launch in the source.
struct Site {
  const char *kernel; // as written, template arguments included
  const char *file;
  int line;
};

// The values between <<< and >>>.
struct Configuration {
  dim3 grid, block;
  size_t shared_bytes; // dynamic shared memory of each block
  cudaStream_t stream;

  Configuration(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = nullptr)
      : grid(grid), block(block), shared_bytes(shared_bytes), stream(stream) {}
};

struct SourceLine {
  const char *file;
  int line;
  int nth; // barrier of this line, counted from 0
};

// The line of the call, when it stands as a default argument.
constexpr SourceLine here(int nth = 0, const char *file = __builtin_FILE(),
                          int line = __builtin_LINE()) {
  return {file, line, nth};
}

} // namespace course_cpu
