// Some of the elements of a whole array, in their order. How many is written to device memory.
#pragma once

#include "../detail/two_calls.cuh"

COURSE_CPU_BOTH_SPACES

namespace cub {

struct DeviceSelect {
  template <class In, class Out, class Count, class Items, class Predicate>
  static cudaError_t If(void *storage, size_t &storage_bytes, In in, Out out, Count count,
                        Items items, Predicate predicate, cudaStream_t stream = nullptr) {
    course_cpu::expect_callable_by_kernels<In, Predicate>();
    return course_cpu::two_calls("cub::DeviceSelect::If", storage, storage_bytes, 1, stream,
                                 [=](void *) {
                                   Items copied = 0;
                                   for (Items i = 0; i < items; ++i)
                                     if (predicate(in[i]))
                                       out[copied++] = in[i];
                                   *count = static_cast<course_cpu::ValueOf<Count>>(copied);
                                 });
  }
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
