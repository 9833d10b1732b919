// Running sums of a whole array, by one thread.
#pragma once

#include "../detail/two_calls.cuh"
#include "../thread/thread_operators.cuh"

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

// Queues out[i] = op over init (where `has_init`) and in[0..i], in[i] included if `inclusive`.
// `in` and `out` may be one array.
template <class T, class In, class Out, class Op>
cudaError_t scan(const char *name, void *storage, size_t &storage_bytes, In in, Out out, Op op,
                 T init, bool has_init, bool inclusive, size_t items, cudaStream_t stream) {
  expect_callable_by_kernels<In, Op>();
  return two_calls(name, storage, storage_bytes, 1, stream, [=](void *) {
    T before = init;
    for (size_t i = 0; i < items; i++) {
      const T element = in[i];
      const T after = i == 0 && !has_init ? element : op(before, element);
      out[i] = inclusive ? after : before;
      before = after;
    }
  });
}

} // namespace course_cpu

namespace cub {

struct DeviceScan {
  template <class In, class Out>
  static cudaError_t InclusiveSum(void *storage, size_t &storage_bytes, In in, Out out,
                                  size_t items, cudaStream_t stream = nullptr) {
    using T = course_cpu::ValueOf<In>;
    return course_cpu::scan<T>("cub::DeviceScan::InclusiveSum", storage, storage_bytes, in, out,
                               course_cpu::Plus(), T(), false, true, items, stream);
  }

  template <class In, class Out>
  static cudaError_t ExclusiveSum(void *storage, size_t &storage_bytes, In in, Out out,
                                  size_t items, cudaStream_t stream = nullptr) {
    using T = course_cpu::ValueOf<In>;
    return course_cpu::scan<T>("cub::DeviceScan::ExclusiveSum", storage, storage_bytes, in, out,
                               course_cpu::Plus(), T(), true, false, items, stream);
  }

  template <class In, class Out, class Op>
  static cudaError_t InclusiveScan(void *storage, size_t &storage_bytes, In in, Out out, Op op,
                                   size_t items, cudaStream_t stream = nullptr) {
    using T = course_cpu::ValueOf<In>;
    return course_cpu::scan<T>("cub::DeviceScan::InclusiveScan", storage, storage_bytes, in, out,
                               op, T(), false, true, items, stream);
  }

  template <class In, class Out, class Op, class T>
  static cudaError_t ExclusiveScan(void *storage, size_t &storage_bytes, In in, Out out, Op op,
                                   T init, size_t items, cudaStream_t stream = nullptr) {
    return course_cpu::scan<T>("cub::DeviceScan::ExclusiveScan", storage, storage_bytes, in, out,
                               op, init, true, false, items, stream);
  }
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
