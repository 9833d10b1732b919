// NCCL's calls return a result of their own. NCCL_CHECK looks at it.
#pragma once

#include <nccl.h>

#include <cstdio>
#include <cstdlib>

namespace course {

// Ends the program with exit code 1 unless `result` is ncclSuccess, and says which call failed,
// where, and why.
inline void check(ncclResult_t result, const char *call, const char *file, int line) {
  if (result == ncclSuccess)
    return;
  std::fflush(stdout); // what the program printed before comes before the error
  std::fprintf(stderr, "%s:%d: %s\n  failed: %s. %s\n", file, line, call,
               ncclGetErrorString(result), ncclGetLastError(nullptr));
  std::exit(EXIT_FAILURE);
}

} // namespace course

// NCCL_CHECK(ncclGroupStart());
#define NCCL_CHECK(call) ::course::check((call), #call, __FILE__, __LINE__)
