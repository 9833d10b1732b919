// A function of each element, in a thread of its own.
#pragma once

#include "../../thrust/execution.h"
#include "device_for.cuh"

COURSE_CPU_BOTH_SPACES

namespace cub {

struct DeviceTransform {
  template <class In, class Out, class Count, class Op>
  static cudaError_t Transform(In in, Out out, Count items, Op op, cudaStream_t stream = nullptr) {
    course_cpu::expect_callable_by_kernels<Op>();
    const auto from = course_cpu::in_kernel_code(in);
    const auto to = course_cpu::in_kernel_code(out);
    return DeviceFor::Bulk(
        items, [=](Count i) { to[i] = op(from[i]); }, stream);
  }
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
