// Error messages.
#include "clique.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace course_cpu::nccl {
namespace {

thread_local std::string last_error;

} // namespace

ncclResult_t fail(ncclResult_t result, const std::string &why) {
  last_error = why;
  if (const char *debug = std::getenv("NCCL_DEBUG"); debug && std::strcmp(debug, "VERSION"))
    std::fprintf(stderr, "NCCL WARN %s\n", why.c_str());
  return result;
}

} // namespace course_cpu::nccl

const char *ncclGetErrorString(ncclResult_t result) {
  switch (result) {
  case ncclSuccess:
    return "no error";
  case ncclUnhandledCudaError:
    return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
  case ncclSystemError:
    return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
  case ncclInternalError:
    return "internal error - please report this issue to the NCCL developers";
  case ncclInvalidArgument:
    return "invalid argument (run with NCCL_DEBUG=WARN for details)";
  case ncclInvalidUsage:
    return "invalid usage (run with NCCL_DEBUG=WARN for details)";
  case ncclRemoteError:
    return "remote process exited or there was a network error";
  case ncclInProgress:
    return "NCCL operation in progress";
  default:
    return "unknown result code";
  }
}

const char *ncclGetLastError(ncclComm_t) { return course_cpu::nccl::last_error.c_str(); }
