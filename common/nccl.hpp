// NCCL calls return their own result type. NCCL_CHECK tests it.
#pragma once

#include <nccl.h>

#include <cstdio>
#include <cstdlib>

namespace course {

// If `result` is not ncclSuccess, prints the failed call, its file and line and the reason, and
// ends the program with exit code 1.
inline void check(ncclResult_t result, const char *call, const char *file, int line) {
  if (result == ncclSuccess)
    return;
  std::fflush(stdout); // so the program's earlier output comes first
  std::fprintf(stderr, "%s:%d: %s\n  failed: %s. %s\n", file, line, call,
               ncclGetErrorString(result), ncclGetLastError(nullptr));
  std::exit(EXIT_FAILURE);
}

} // namespace course

// NCCL_CHECK(ncclGroupStart());
#define NCCL_CHECK(call) ::course::check((call), #call, __FILE__, __LINE__)
