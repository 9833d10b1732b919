// What the worker itself asks of CUDA, on both backends. It is compiled once: CUDA's headers take
// most of the time of a small file.
#include "tests/grader/device_guard.hpp"

#include <cuda_runtime.h>

namespace course {

DeviceError take_device_error() {
  cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess)
    error = cudaError_t(take_last_error());
  if (error == cudaSuccess || error == cudaErrorNotReady) // that is what a poll answers
    return {};
  return {std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error),
          error == cudaErrorIllegalAddress};
}

bool is_device_memory(const void *pointer) {
  cudaPointerAttributes about{};
  return pointer && cudaPointerGetAttributes(&about, pointer) == cudaSuccess &&
         about.type == cudaMemoryTypeDevice;
}

} // namespace course
