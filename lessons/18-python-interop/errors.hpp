// A program may end where CUDA reports an error. A library must not: its caller decides. So an
// error becomes an exception, and pybind11 makes one of Python's of it.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

struct CudaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// `status` is cudaError_t, or the int that a C function returned for it.
inline void throw_on_error(int status, const char *call) {
  const auto error = static_cast<cudaError_t>(status);
  if (error == cudaSuccess)
    return;
  cudaGetLastError(); // else the next call that asks would report this error once more
  throw CudaError(std::string(call) + ": " + cudaGetErrorString(error) + " (" +
                  cudaGetErrorName(error) + ")");
}

#define THROW_ON_ERROR(call) throw_on_error((call), #call)
