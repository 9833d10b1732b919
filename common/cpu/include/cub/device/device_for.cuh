// A function for each index, in a thread of its own.
#pragma once

#include "../../course_cpu/callables.h"
#include "../../cuda/cmath"
#include "../../cuda_runtime.h"
#include "../version.cuh"

#include <chrono> // as in CUB: programs call what it declares

COURSE_CPU_BOTH_SPACES

namespace cub {

struct DeviceFor {
  template <class Count, class Op>
  static cudaError_t Bulk(Count items, Op op, cudaStream_t stream = nullptr) {
    course_cpu::expect_callable_by_kernels<Op>();
    constexpr int block = 256;
    const unsigned blocks = (static_cast<unsigned long long>(items) + block - 1) / block;
    if (blocks > 0)
      course_cpu::launch(
          {"cub::DeviceFor::Bulk", __FILE__, __LINE__}, {blocks, block, 0, stream}, nullptr,
          [=] {
            const auto i = Count(blockIdx.x) * block + Count(threadIdx.x);
            if (i < items)
              op(i);
          },
          0);
    return cudaPeekAtLastError();
  }
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
