// Sorts of a whole array by the bits of its keys.
#pragma once

#include "../detail/two_calls.cuh"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

// An unsigned number in whose order, bit by bit, the keys are sorted: negative ones come first, and
// 0.0 equals -0.0.
template <class Key> std::uint64_t radix_bits(Key key) {
  static_assert(std::is_arithmetic<Key>::value, "the CPU backend sorts keys that are numbers");
  if (std::is_floating_point<Key>::value && key == 0)
    key = 0;
  typename cub::Traits<Key>::UnsignedBits bits;
  std::memcpy(&bits, &key, sizeof bits);
  return cub::Traits<Key>::TwiddleIn(bits);
}

template <class Key, class Values, class Items>
cudaError_t radix_sort(const char *name, void *storage, size_t &storage_bytes, const Key *keys_in,
                       Key *keys_out, const Values *values_in, Values *values_out, Items items,
                       int begin_bit, int end_bit, bool descending, cudaStream_t stream) {
  struct Entry {
    std::uint64_t bits;
    Items place;
  };
  return two_calls(name, storage, storage_bytes, items * sizeof(Entry), stream, [=](void *scratch) {
    auto *const entries = static_cast<Entry *>(scratch);
    const std::uint64_t mask =
        begin_bit < end_bit ? ~std::uint64_t(0) >> (64 - (end_bit - begin_bit)) : 0;
    for (Items i = 0; i < items; ++i) {
      const std::uint64_t bits = radix_bits(keys_in[i]) >> begin_bit & mask;
      new (entries + i) Entry{descending ? mask - bits : bits, i};
    }
    std::sort(entries, entries + items, [](const Entry &a, const Entry &b) {
      return a.bits < b.bits || (a.bits == b.bits && a.place < b.place);
    });
    for (Items i = 0; i < items; ++i) {
      keys_out[i] = keys_in[entries[i].place];
      if constexpr (!std::is_same<Values, cub::NullType>::value)
        values_out[i] = values_in[entries[i].place];
    }
  });
}

} // namespace course_cpu

namespace cub {

// Stable. Bits of the keys from begin_bit on and before end_bit count.
struct DeviceRadixSort {
#define COURSE_CPU_RADIX_SORT(ENDING, DESCENDING)                                                  \
  template <class Key, class Items>                                                                \
  static cudaError_t SortKeys##ENDING(                                                             \
      void *storage, size_t &storage_bytes, const Key *keys_in, Key *keys_out, Items items,        \
      int begin_bit = 0, int end_bit = 8 * sizeof(Key), cudaStream_t stream = nullptr) {           \
    const NullType *none = nullptr;                                                                \
    return course_cpu::radix_sort(                                                                 \
        "cub::DeviceRadixSort::SortKeys" #ENDING, storage, storage_bytes, keys_in, keys_out, none, \
        const_cast<NullType *>(none), items, begin_bit, end_bit, DESCENDING, stream);              \
  }                                                                                                \
  template <class Key, class Items>                                                                \
  static cudaError_t SortKeys##ENDING(                                                             \
      void *storage, size_t &storage_bytes, DoubleBuffer<Key> &keys, Items items,                  \
      int begin_bit = 0, int end_bit = 8 * sizeof(Key), cudaStream_t stream = nullptr) {           \
    const cudaError_t error =                                                                      \
        SortKeys##ENDING(storage, storage_bytes, keys.Current(), keys.Alternate(), items,          \
                         begin_bit, end_bit, stream);                                              \
    if (storage && error == cudaSuccess)                                                           \
      keys.selector ^= 1;                                                                          \
    return error;                                                                                  \
  }                                                                                                \
  template <class Key, class Item, class Items>                                                    \
  static cudaError_t SortPairs##ENDING(                                                            \
      void *storage, size_t &storage_bytes, const Key *keys_in, Key *keys_out,                     \
      const Item *values_in, Item *values_out, Items items, int begin_bit = 0,                     \
      int end_bit = 8 * sizeof(Key), cudaStream_t stream = nullptr) {                              \
    return course_cpu::radix_sort("cub::DeviceRadixSort::SortPairs" #ENDING, storage,              \
                                  storage_bytes, keys_in, keys_out, values_in, values_out, items,  \
                                  begin_bit, end_bit, DESCENDING, stream);                         \
  }                                                                                                \
  template <class Key, class Item, class Items>                                                    \
  static cudaError_t SortPairs##ENDING(                                                            \
      void *storage, size_t &storage_bytes, DoubleBuffer<Key> &keys, DoubleBuffer<Item> &values,   \
      Items items, int begin_bit = 0, int end_bit = 8 * sizeof(Key),                               \
      cudaStream_t stream = nullptr) {                                                             \
    const cudaError_t error = SortPairs##ENDING(                                                   \
        storage, storage_bytes, keys.Current(), keys.Alternate(), values.Current(),                \
        values.Alternate(), items, begin_bit, end_bit, stream);                                    \
    if (storage && error == cudaSuccess) {                                                         \
      keys.selector ^= 1;                                                                          \
      values.selector ^= 1;                                                                        \
    }                                                                                              \
    return error;                                                                                  \
  }
  COURSE_CPU_RADIX_SORT(, false)
  COURSE_CPU_RADIX_SORT(Descending, true)
#undef COURSE_CPU_RADIX_SORT
};

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
