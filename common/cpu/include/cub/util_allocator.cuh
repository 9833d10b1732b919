// CUB's allocator of device memory. It keeps nothing for later: each call is cudaMalloc or
// cudaFree.
#pragma once

#include "../cuda_runtime.h"

COURSE_CPU_BOTH_SPACES

namespace cub {

struct CachingDeviceAllocator {
  // The arguments (skip_cleanup, debug) have no effect.
  explicit CachingDeviceAllocator(bool = false, bool = false) {}

  cudaError_t DeviceAllocate(void **pointer, size_t bytes, cudaStream_t = nullptr) {
    return cudaMalloc(pointer, bytes);
  }
  cudaError_t DeviceFree(void *pointer) { return cudaFree(pointer); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
