// Execution policies: thrust::device, thrust::host, thrust::cuda::par.on(stream).
#pragma once

#include "version.h"

#include "../cuda_runtime.h"

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

struct HostPolicy {};
struct DevicePolicy {
  cudaStream_t stream = nullptr;
  bool waits = true; // for its end
  DevicePolicy on(cudaStream_t other) const { return {other, waits}; }
};

} // namespace course_cpu

namespace thrust {

constexpr course_cpu::HostPolicy host{}, seq{};
constexpr course_cpu::DevicePolicy device{};

namespace cuda {
constexpr course_cpu::DevicePolicy par{};
constexpr course_cpu::DevicePolicy par_nosync{nullptr, false};
} // namespace cuda

} // namespace thrust

COURSE_CPU_BOTH_SPACES_END
