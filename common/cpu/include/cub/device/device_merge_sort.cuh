// Sorts of a whole array by a comparison.
#pragma once

#include "../detail/two_calls.cuh"

#include <algorithm>
#include <new>
#include <type_traits>

COURSE_CPU_BOTH_SPACES

namespace cub {

// In place, by a comparison; stable.
struct DeviceMergeSort {
  template <class Keys, class Items, class Less>
  static cudaError_t SortKeys(void *storage, size_t &storage_bytes, Keys keys, Items items,
                              Less less, cudaStream_t stream = nullptr) {
    return SortPairs(storage, storage_bytes, keys, static_cast<NullType *>(nullptr), items, less,
                     stream);
  }
  template <class Keys, class Values, class Items, class Less>
  static cudaError_t SortPairs(void *storage, size_t &storage_bytes, Keys keys, Values values,
                               Items items, Less less, cudaStream_t stream = nullptr) {
    course_cpu::expect_callable_by_kernels<Keys, Values, Less>();
    using Value = course_cpu::ValueOf<Values>;
    struct Entry {
      course_cpu::ValueOf<Keys> key;
      Value value;
      Items place;
    };
    constexpr bool has_values = !std::is_same<Value, NullType>::value;
    return course_cpu::two_calls(
        "cub::DeviceMergeSort", storage, storage_bytes, items * sizeof(Entry), stream,
        [=](void *scratch) {
          auto *const entries = static_cast<Entry *>(scratch);
          for (Items i = 0; i < items; ++i) {
            if constexpr (has_values)
              new (entries + i) Entry{keys[i], values[i], i};
            else
              new (entries + i) Entry{keys[i], {}, i};
          }
          std::sort(entries, entries + items, [&](const Entry &a, const Entry &b) {
            return less(a.key, b.key) || (!less(b.key, a.key) && a.place < b.place);
          });
          for (Items i = 0; i < items; ++i) {
            keys[i] = entries[i].key;
            if constexpr (has_values)
              values[i] = entries[i].value;
          }
        });
  }
  template <class Keys, class Items, class Less>
  static cudaError_t StableSortKeys(void *storage, size_t &storage_bytes, Keys keys, Items items,
                                    Less less, cudaStream_t stream = nullptr) {
    return SortKeys(storage, storage_bytes, keys, items, less, stream);
  }
  template <class Keys, class Values, class Items, class Less>
  static cudaError_t StableSortPairs(void *storage, size_t &storage_bytes, Keys keys, Values values,
                                     Items items, Less less, cudaStream_t stream = nullptr) {
    return SortPairs(storage, storage_bytes, keys, values, items, less, stream);
  }
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
