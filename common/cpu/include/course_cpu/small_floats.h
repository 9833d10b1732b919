// The bits of floating-point numbers that C++ has no type for.
#pragma once

#include "qualifiers.h"

#include <cmath>
#include <cstdint>
#include <cstring>

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

// `value`, rounded to the nearest number with that many bits of exponent and of mantissa, ties to
// even. Without infinities the largest exponent is one of numbers: the caller sees to what is
// larger.
template <int exponent_bits, int mantissa_bits, bool infinities = true>
unsigned short small_bits(double value) {
  constexpr int bias = (1 << (exponent_bits - 1)) - 1, lowest = 1 - bias;
  constexpr int infinite = ((1 << exponent_bits) - 1) << mantissa_bits;
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const int sign = static_cast<int>(bits >> 63) << (exponent_bits + mantissa_bits);
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1023;
  const std::uint64_t mantissa = bits & 0xFFFFFFFFFFFFF;
  if (exponent == 1024) // infinite, or NaN: the one that CUDA gives
    return static_cast<unsigned short>(mantissa ? (1 << (exponent_bits + mantissa_bits)) - 1
                                                : sign | infinite);
  if (exponent > bias + !infinities)
    return static_cast<unsigned short>(sign | infinite);
  if (exponent < lowest - mantissa_bits - 1)
    return static_cast<unsigned short>(sign);
  // The bits that stay are those of the result: the lowest exponent has the subnormal ones too.
  const int dropped = 52 - mantissa_bits + (exponent < lowest ? lowest - exponent : 0);
  const std::uint64_t whole = mantissa | std::uint64_t{1} << 52;
  std::uint64_t kept = whole >> dropped;
  const std::uint64_t rest = whole & ((std::uint64_t{1} << dropped) - 1);
  const std::uint64_t middle = std::uint64_t{1} << (dropped - 1);
  kept += rest > middle || (rest == middle && (kept & 1));
  const int biased = exponent < lowest ? 0 : exponent + bias - 1; // the leading bit adds one
  return static_cast<unsigned short>(
      sign | ((static_cast<std::uint64_t>(biased) << mantissa_bits) + kept));
}

inline unsigned short half_bits(double value) { return small_bits<5, 10>(value); }
inline unsigned short bfloat_bits(double value) { return small_bits<8, 7>(value); }

template <int exponent_bits, int mantissa_bits, bool infinities = true>
float small_value(unsigned bits) {
  constexpr int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
  const int exponent = static_cast<int>(bits >> mantissa_bits & top);
  const int mantissa = static_cast<int>(bits & ((1 << mantissa_bits) - 1));
  const bool negative = bits >> (exponent_bits + mantissa_bits) & 1;
  if (!infinities && (exponent == top) && mantissa == (1 << mantissa_bits) - 1)
    return NAN;
  if (infinities && exponent == top)
    return mantissa ? NAN : negative ? -INFINITY : INFINITY;
  // The bits of a float, or, with exponent 0, so many of the lowest number.
  constexpr std::uint32_t lowest = (128 - bias - mantissa_bits) << 23;
  const std::uint32_t whole =
      static_cast<std::uint32_t>(exponent + 127 - bias) << 23 | mantissa << (23 - mantissa_bits);
  float unit, value;
  std::memcpy(&unit, &lowest, sizeof unit);
  std::memcpy(&value, &whole, sizeof value);
  value = exponent == 0 ? static_cast<float>(mantissa) * unit : value;
  return negative ? -value : value;
}

inline float half_value(unsigned short bits) { return small_value<5, 10>(bits); }

inline float bfloat_value(unsigned short bits) { // the upper half of a float
  const std::uint32_t whole = static_cast<std::uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &whole, sizeof value);
  return value;
}

} // namespace course_cpu

COURSE_CPU_BOTH_SPACES_END
