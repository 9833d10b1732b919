// Sorts of a whole array.
#pragma once

#include "single_thread.cuh"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

namespace cub {

// Two arrays, of which one holds the data: a sort may leave it in the other one.
template <class T> struct DoubleBuffer {
  T *d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate} {}
  T *Current() const { return d_buffers[selector]; }
  T *Alternate() const { return d_buffers[selector ^ 1]; }
};

} // namespace cub

namespace course_cpu {

// An unsigned number in whose order, bit by bit, the keys are sorted: negative ones come first, and
// 0.0 equals -0.0.
template <class Key> std::uint64_t radix_bits(Key key) {
  static_assert(std::is_arithmetic<Key>::value, "the CPU backend sorts keys that are numbers");
  constexpr std::uint64_t sign = std::uint64_t(1) << (8 * sizeof(Key) - 1);
  if constexpr (std::is_floating_point<Key>::value) {
    std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t> bits;
    key = key == 0 ? 0 : key;
    std::memcpy(&bits, &key, sizeof bits);
    return bits & sign ? sign - 1 - (bits - sign) : bits | sign;
  } else {
    const auto bits = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<Key>>(key));
    return std::is_signed<Key>::value ? bits ^ sign : bits;
  }
}
inline std::uint64_t radix_bits(bool key) { return key; }

// Values where there are none beside the keys.
struct NoValues {};

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
      if constexpr (!std::is_same<Values, NoValues>::value)
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
    using course_cpu::NoValues;                                                                    \
    const NoValues *none = nullptr;                                                                \
    return course_cpu::radix_sort(                                                                 \
        "cub::DeviceRadixSort::SortKeys" #ENDING, storage, storage_bytes, keys_in, keys_out, none, \
        const_cast<NoValues *>(none), items, begin_bit, end_bit, DESCENDING, stream);              \
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

// In place, by a comparison; stable.
struct DeviceMergeSort {
  template <class Keys, class Items, class Less>
  static cudaError_t SortKeys(void *storage, size_t &storage_bytes, Keys keys, Items items,
                              Less less, cudaStream_t stream = nullptr) {
    return SortPairs(storage, storage_bytes, keys, static_cast<course_cpu::NoValues *>(nullptr),
                     items, less, stream);
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
    constexpr bool has_values = !std::is_same<Value, course_cpu::NoValues>::value;
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
