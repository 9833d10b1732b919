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

// Queues a reduction over elements of type T and writes finish(result); `op` is associative and
// commutative, `in[i]` is element i.
template <class T, class In, class Op, class Finish>
cudaError_t reduce(const char *name, void *storage, size_t &storage_bytes, In in, size_t items,
                   Op op, T initial, cudaStream_t stream, Finish finish) {
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
      finish(result);
    });
  });
  return cudaSuccess;
}

// An array seen as pairs (index, value).
template <class Index, class In> struct Indexed {
  In in;
  cub::KeyValuePair<Index, ValueOf<In>> operator[](size_t i) const {
    return {static_cast<Index>(i), in[i]};
  }
};

template <class Index, class First, class In, class Finish>
cudaError_t reduce_index(const char *name, void *storage, size_t &storage_bytes, In in,
                         size_t items, ValueOf<In> worst, cudaStream_t stream, Finish finish) {
  using Pair = cub::KeyValuePair<Index, ValueOf<In>>;
  // For no elements, CUB gives index 1 and the worst value.
  const Pair initial{items == 0 ? 1 : std::numeric_limits<Index>::max(), worst};
  return reduce(name, storage, storage_bytes, Indexed<Index, In>{in}, items, First(), initial,
                stream, finish);
}

// An array seen through a function.
template <class In, class Transform> struct Transformed {
  In in;
  Transform transform;
  auto operator[](size_t i) const { return transform(in[i]); }
};

} // namespace course_cpu

namespace cub {

struct DeviceReduce {
  // init op in[0] op in[1] ...
  template <class In, class Out, class Op, class T>
  static cudaError_t Reduce(void *storage, size_t &storage_bytes, In in, Out out, size_t items,
                            Op op, T init, cudaStream_t stream = nullptr) {
    return course_cpu::reduce("cub::DeviceReduce::Reduce", storage, storage_bytes, in, items, op,
                              init, stream, [=](const T &result) { *out = result; });
  }

  // init op transform(in[0]) op transform(in[1]) ...
  template <class In, class Out, class Op, class Transform, class T>
  static cudaError_t TransformReduce(void *storage, size_t &storage_bytes, In in, Out out,
                                     size_t items, Op op, Transform transform, T init,
                                     cudaStream_t stream = nullptr) {
    return course_cpu::reduce("cub::DeviceReduce::TransformReduce", storage, storage_bytes,
                              course_cpu::Transformed<In, Transform>{in, transform}, items, op,
                              init, stream, [=](const T &result) { *out = result; });
  }

  // The sum has the type of what `out` points to.
  template <class In, class Out>
  static cudaError_t Sum(void *storage, size_t &storage_bytes, In in, Out out, size_t items,
                         cudaStream_t stream = nullptr) {
    using T = course_cpu::ValueOf<Out>;
    return course_cpu::reduce("cub::DeviceReduce::Sum", storage, storage_bytes, in, items,
                              course_cpu::Plus(), T(), stream,
                              [=](const T &result) { *out = result; });
  }

  template <class In, class Out>
  static cudaError_t Min(void *storage, size_t &storage_bytes, In in, Out out, size_t items,
                         cudaStream_t stream = nullptr) {
    using T = course_cpu::ValueOf<In>;
    return course_cpu::reduce("cub::DeviceReduce::Min", storage, storage_bytes, in, items,
                              course_cpu::Smaller(), std::numeric_limits<T>::max(), stream,
                              [=](const T &result) { *out = result; });
  }

  template <class In, class Out>
  static cudaError_t Max(void *storage, size_t &storage_bytes, In in, Out out, size_t items,
                         cudaStream_t stream = nullptr) {
    using T = course_cpu::ValueOf<In>;
    return course_cpu::reduce("cub::DeviceReduce::Max", storage, storage_bytes, in, items,
                              course_cpu::Larger(), std::numeric_limits<T>::lowest(), stream,
                              [=](const T &result) { *out = result; });
  }

  // The value of the first largest (smallest) element, and its index.
  template <class In, class Out, class Index>
  static cudaError_t ArgMax(void *storage, size_t &storage_bytes, In in, Out largest, Index index,
                            long long items, cudaStream_t stream = nullptr) {
    using T = course_cpu::ValueOf<In>;
    return course_cpu::reduce_index<long long, cub::ArgMax>(
        "cub::DeviceReduce::ArgMax", storage, storage_bytes, in, items,
        std::numeric_limits<T>::lowest(), stream, [=](const auto &result) {
          *largest = result.value;
          *index = static_cast<course_cpu::ValueOf<Index>>(result.key);
        });
  }

  template <class In, class Out, class Index>
  static cudaError_t ArgMin(void *storage, size_t &storage_bytes, In in, Out smallest, Index index,
                            long long items, cudaStream_t stream = nullptr) {
    using T = course_cpu::ValueOf<In>;
    return course_cpu::reduce_index<long long, cub::ArgMin>(
        "cub::DeviceReduce::ArgMin", storage, storage_bytes, in, items,
        std::numeric_limits<T>::max(), stream, [=](const auto &result) {
          *smallest = result.value;
          *index = static_cast<course_cpu::ValueOf<Index>>(result.key);
        });
  }

  // The older form: `out` points to a KeyValuePair<int, T>.
  template <class In, class Out>
  static cudaError_t ArgMax(void *storage, size_t &storage_bytes, In in, Out out, int items,
                            cudaStream_t stream = nullptr) {
    using T = course_cpu::ValueOf<In>;
    return course_cpu::reduce_index<int, cub::ArgMax>(
        "cub::DeviceReduce::ArgMax", storage, storage_bytes, in, items,
        std::numeric_limits<T>::lowest(), stream, [=](const auto &result) { *out = result; });
  }

  template <class In, class Out>
  static cudaError_t ArgMin(void *storage, size_t &storage_bytes, In in, Out out, int items,
                            cudaStream_t stream = nullptr) {
    using T = course_cpu::ValueOf<In>;
    return course_cpu::reduce_index<int, cub::ArgMin>(
        "cub::DeviceReduce::ArgMin", storage, storage_bytes, in, items,
        std::numeric_limits<T>::max(), stream, [=](const auto &result) { *out = result; });
  }

  // One key and one result for each run of equal neighbours among the keys.
  template <class Keys, class OutKeys, class Values, class Out, class Runs, class Op, class Items>
  static cudaError_t ReduceByKey(void *storage, size_t &storage_bytes, Keys keys, OutKeys out_keys,
                                 Values values, Out out, Runs runs, Op op, Items items,
                                 cudaStream_t stream = nullptr) {
    course_cpu::expect_callable_by_kernels<Keys, Values, Op>();
    return course_cpu::two_calls(
        "cub::DeviceReduce::ReduceByKey", storage, storage_bytes, 1, stream, [=](void *) {
          Items run = 0;
          for (Items i = 0, next; i < items; i = next, ++run) {
            course_cpu::ValueOf<Values> result = values[i];
            for (next = i + 1; next < items && keys[next - 1] == keys[next]; ++next)
              result = op(result, values[next]);
            out_keys[run] = keys[i];
            out[run] = result;
          }
          *runs = static_cast<course_cpu::ValueOf<Runs>>(run);
        });
  }
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
