// Types that several of CUB's headers use.
#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>

COURSE_CPU_BOTH_SPACES

namespace cub {

// Values where there are none beside the keys.
struct NullType {};

template <class K, class V> struct KeyValuePair {
  using Key = K;
  using Value = V;
  K key;
  V value;
  KeyValuePair() = default;
  KeyValuePair(const K &key, const V &value) : key(key), value(value) {}
  bool operator==(const KeyValuePair &other) const {
    return key == other.key && value == other.value;
  }
  bool operator!=(const KeyValuePair &other) const { return !(*this == other); }
};

// Two arrays, of which one holds the data: a sort may leave it in the other one.
template <class T> struct DoubleBuffer {
  T *d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate} {}
  T *Current() const { return d_buffers[selector]; }
  T *Alternate() const { return d_buffers[selector ^ 1]; }
};

// Of numbers: an unsigned number of the same size, and the change of a number's bits after which
// they are in the numbers' order. (Not of -0.0, which comes before 0.0.)
template <class T> struct Traits {
  static_assert(std::is_arithmetic<T>::value, "the CPU backend has traits of numbers only");
  using UnsignedBits = std::conditional_t<
      sizeof(T) == 1, std::uint8_t,
      std::conditional_t<sizeof(T) == 2, std::uint16_t,
                         std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

  // Of negative floating-point numbers all bits change, of other signed numbers the sign.
  static UnsignedBits TwiddleIn(UnsignedBits bits) {
    return bits ^ (is_float && (bits & sign) ? ~UnsignedBits(0) : signs);
  }
  static UnsignedBits TwiddleOut(UnsignedBits bits) {
    return bits ^ (is_float && !(bits & sign) ? ~UnsignedBits(0) : signs);
  }

private:
  static constexpr bool is_float = std::is_floating_point<T>::value;
  static constexpr UnsignedBits sign = UnsignedBits(1) << (8 * sizeof(T) - 1);
  static constexpr UnsignedBits signs = std::is_signed<T>::value ? sign : 0;
};

} // namespace cub

namespace course_cpu {

template <class Iterator> using ValueOf = typename std::iterator_traits<Iterator>::value_type;

} // namespace course_cpu

COURSE_CPU_BOTH_SPACES_END
