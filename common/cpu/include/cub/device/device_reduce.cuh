// Reductions of a whole array. As in CUB, a first call without temporary storage only says how much
// the second one needs.
#pragma once

#include "../detail/two_calls.cuh"
#include "../thread/thread_operators.cuh"

#include <algorithm>
#include <limits>
#include <new>

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

constexpr size_t reduce_parts = 64; // each summed by one thread of a grid

// Combines `items` elements of `in` that are not fewer than one. `lanes` partial results keep the
// additions independent of each other, so that the compiler can use vector instructions.
template <class T, class In, class Op> T reduce_part(In in, size_t first, size_t last, Op op) {
  constexpr size_t lanes = 16;
  T partial[lanes];
  const size_t used = std::min(lanes, last - first);
  for (size_t k = 0; k < used; k++)
    partial[k] = in[first + k];
  size_t i = first + used;
  for (; i + lanes <= last; i += lanes)
    for (size_t k = 0; k < lanes; k++)
      partial[k] = op(partial[k], in[i + k]);
  for (; i < last; i++)
    partial[0] = op(partial[0], in[i]);
  T result = partial[0];
  for (size_t k = 1; k < used; k++)
    result = op(result, partial[k]);
  return result;
}

// Queues a reduction over elements of type T; `op` is associative and commutative.
template <class T, class In, class Out, class Op>
cudaError_t reduce(const char *name, void *storage, size_t &storage_bytes, In in, Out out,
                   size_t items, Op op, T initial, cudaStream_t stream) {
  expect_callable_by_kernels<In, Op>();
  const size_t needed = reduce_parts * sizeof(T);
  if (!storage) {
    storage_bytes = needed;
    return cudaSuccess;
  }
  if (storage_bytes < needed)
    return record_error(cudaErrorInvalidValue);
  const Site site{name, __FILE__, __LINE__};
  const Configuration configuration(dim3(reduce_parts), 1, 0, stream);
  if (!launch_allowed(configuration, site))
    return cudaPeekAtLastError();
  T *parts = static_cast<T *>(storage);
  enqueue(stream, [=] {
    const size_t part = (items + reduce_parts - 1) / reduce_parts;
    run_grid(site, configuration, [=] {
      const size_t first = blockIdx.x * part, last = std::min(items, first + part);
      if (first < last)
        new (parts + blockIdx.x) T(reduce_part<T>(in, first, last, op));
    });
    run_grid(site, Configuration(1, 1), [=] {
      T result = initial;
      for (size_t k = 0; k * part < items; k++)
        result = op(result, parts[k]);
      *out = result;
    });
  });
  return cudaSuccess;
}

} // namespace course_cpu

namespace cub {

struct DeviceReduce {
  // init op in[0] op in[1] ...
  template <class In, class Out, class Op, class T>
  static cudaError_t Reduce(void *storage, size_t &storage_bytes, In in, Out out, size_t items,
                            Op op, T init, cudaStream_t stream = nullptr) {
    return course_cpu::reduce("cub::DeviceReduce::Reduce", storage, storage_bytes, in, out, items,
                              op, init, stream);
  }

  // The sum has the type of what `out` points to.
  template <class In, class Out>
  static cudaError_t Sum(void *storage, size_t &storage_bytes, In in, Out out, size_t items,
                         cudaStream_t stream = nullptr) {
    using T = course_cpu::ValueOf<Out>;
    return course_cpu::reduce("cub::DeviceReduce::Sum", storage, storage_bytes, in, out, items,
                              course_cpu::Plus(), T(), stream);
  }

  template <class In, class Out>
  static cudaError_t Min(void *storage, size_t &storage_bytes, In in, Out out, size_t items,
                         cudaStream_t stream = nullptr) {
    using T = course_cpu::ValueOf<In>;
    return course_cpu::reduce("cub::DeviceReduce::Min", storage, storage_bytes, in, out, items,
                              course_cpu::Smaller(), std::numeric_limits<T>::max(), stream);
  }

  template <class In, class Out>
  static cudaError_t Max(void *storage, size_t &storage_bytes, In in, Out out, size_t items,
                         cudaStream_t stream = nullptr) {
    using T = course_cpu::ValueOf<In>;
    return course_cpu::reduce("cub::DeviceReduce::Max", storage, storage_bytes, in, out, items,
                              course_cpu::Larger(), std::numeric_limits<T>::lowest(), stream);
  }
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
