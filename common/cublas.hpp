// cuBLAS calls return their own status type. CUBLAS_CHECK tests it.
#pragma once

#include <cublas_v2.h>

#include <cstdio>
#include <cstdlib>

namespace course {

// If `status` is not CUBLAS_STATUS_SUCCESS, prints the failed call, its file and line and the
// reason, and ends the program with exit code 1.
inline void check(cublasStatus_t status, const char *call, const char *file, int line) {
  if (status == CUBLAS_STATUS_SUCCESS)
    return;
  std::fflush(stdout); // so the program's earlier output comes first
  std::fprintf(stderr, "%s:%d: %s\n  failed: %s (%s)\n", file, line, call,
               cublasGetStatusString(status), cublasGetStatusName(status));
  std::exit(EXIT_FAILURE);
}

} // namespace course

// CUBLAS_CHECK(cublasCreate(&handle));
#define CUBLAS_CHECK(call) ::course::check((call), #call, __FILE__, __LINE__)
