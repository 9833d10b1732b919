// Some of the elements of a whole array, in their order. How many is written to device memory.
#pragma once

#include "../detail/two_calls.cuh"

COURSE_CPU_BOTH_SPACES

namespace cub {

struct DeviceSelect {
  template <class In, class Flags, class Out, class Count, class Items>
  static cudaError_t Flagged(void *storage, size_t &storage_bytes, In in, Flags flags, Out out,
                             Count count, Items items, cudaStream_t stream = nullptr) {
    return select("cub::DeviceSelect::Flagged", storage, storage_bytes, in, out, count, items,
                  stream, [=](Items i) { return static_cast<bool>(flags[i]); });
  }

  template <class In, class Out, class Count, class Items, class Predicate>
  static cudaError_t If(void *storage, size_t &storage_bytes, In in, Out out, Count count,
                        Items items, Predicate predicate, cudaStream_t stream = nullptr) {
    course_cpu::expect_callable_by_kernels<In, Predicate>();
    return select("cub::DeviceSelect::If", storage, storage_bytes, in, out, count, items, stream,
                  [=](Items i) { return static_cast<bool>(predicate(in[i])); });
  }

  // The first of each run of equal neighbours.
  template <class In, class Out, class Count, class Items>
  static cudaError_t Unique(void *storage, size_t &storage_bytes, In in, Out out, Count count,
                            Items items, cudaStream_t stream = nullptr) {
    return select("cub::DeviceSelect::Unique", storage, storage_bytes, in, out, count, items,
                  stream, [=](Items i) { return i == 0 || !(in[i - 1] == in[i]); });
  }

private:
  template <class In, class Out, class Count, class Items, class Selected>
  static cudaError_t select(const char *name, void *storage, size_t &storage_bytes, In in, Out out,
                            Count count, Items items, cudaStream_t stream, Selected selected) {
    return course_cpu::two_calls(name, storage, storage_bytes, 1, stream, [=](void *) {
      Items copied = 0;
      for (Items i = 0; i < items; ++i)
        if (selected(i))
          out[copied++] = in[i];
      *count = static_cast<course_cpu::ValueOf<Count>>(copied);
    });
  }
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
