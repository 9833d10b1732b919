// Floating-point numbers of 8 bits: e4m3 (largest 448, no infinities) and e5m2 (largest 57344).
// They are for storage: conversions, and nothing to compute with. A conversion of a class takes the
// largest number for what is too large.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#include <limits>

COURSE_CPU_BOTH_SPACES

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned int;

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturation,
                                                 __nv_fp8_interpretation_t kind) {
  const double largest = kind == __NV_E4M3 ? 448 : 57344;
  const double half_way = kind == __NV_E4M3 ? 464 : 61440; // to what would follow
  const double size = std::fabs(value);
  const int sign = std::signbit(value) ? 0x80 : 0;
  if (size != size)
    return static_cast<unsigned char>(sign | (kind == __NV_E4M3 ? 0x7F : 0x7E));
  // Half way is the even one: 448, or what follows 57344.
  if (size > half_way || (size == half_way && kind == __NV_E5M2) ||
      (saturation == __NV_SATFINITE && size > largest)) {
    if (saturation == __NV_SATFINITE)
      return static_cast<unsigned char>(sign | (kind == __NV_E4M3 ? 0x7E : 0x7B));
    return static_cast<unsigned char>(sign | (kind == __NV_E4M3 ? 0x7F : 0x7C));
  }
  if (kind == __NV_E4M3 && size > largest) // rounds down
    value = std::copysign(largest, value);
  return static_cast<unsigned char>(kind == __NV_E4M3 ? course_cpu::small_bits<4, 3, false>(value)
                                                      : course_cpu::small_bits<5, 2>(value));
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturation,
                                                __nv_fp8_interpretation_t kind) {
  return value != value ? 0x7F : __nv_cvt_double_to_fp8(value, saturation, kind);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw value, __nv_saturation_t saturation,
                                                  __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__half(value), saturation, kind);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw value,
                                                      __nv_saturation_t saturation,
                                                      __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__nv_bfloat16(value), saturation, kind);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t kind) {
  return __half(kind == __NV_E4M3 ? course_cpu::small_value<4, 3, false>(bits)
                                  : course_cpu::small_value<5, 2>(bits));
}

// Pairs: x is in the low bits.
#define COURSE_CPU_FP8_PAIR(NAME, PAIR, SINGLE)                                                    \
  inline __nv_fp8x2_storage_t NAME(PAIR value, __nv_saturation_t saturation,                       \
                                   __nv_fp8_interpretation_t kind) {                               \
    return static_cast<unsigned short>(SINGLE(value.x, saturation, kind) |                         \
                                       SINGLE(value.y, saturation, kind) << 8);                    \
  }
COURSE_CPU_FP8_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8)
COURSE_CPU_FP8_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8)
#undef COURSE_CPU_FP8_PAIR
inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw value,
                                                       __nv_saturation_t saturation,
                                                       __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(__half22float2(value), saturation, kind);
}
inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw value,
                                                           __nv_saturation_t saturation,
                                                           __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(value), saturation, kind);
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t bits,
                                              __nv_fp8_interpretation_t kind) {
  return {__nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(bits & 0xFF), kind).x,
          __nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(bits >> 8), kind).x};
}

namespace course_cpu {

// Towards zero; what is too large becomes the largest number. What is none becomes 0, with 64 bits
// the highest bit.
template <class Integer> Integer truncated(float value) {
  using Limits = std::numeric_limits<Integer>;
  if (value != value)
    return sizeof(Integer) == 8 ? static_cast<Integer>(1ull << 63) : 0;
  if (value >= static_cast<float>(Limits::max()))
    return Limits::max();
  return value <= static_cast<float>(Limits::min()) ? Limits::min() : static_cast<Integer>(value);
}

} // namespace course_cpu

#define COURSE_CPU_FP8_INTEGER(NAME, INTEGER)                                                      \
  explicit __nv_fp8_##NAME(INTEGER value) : __nv_fp8_##NAME(static_cast<float>(value)) {}          \
  explicit operator INTEGER() const {                                                              \
    return course_cpu::truncated<INTEGER>(static_cast<float>(*this));                              \
  }

#define COURSE_CPU_FP8(NAME, KIND)                                                                 \
  struct __nv_fp8_##NAME {                                                                         \
    __nv_fp8_storage_t __x;                                                                        \
    __nv_fp8_##NAME() = default;                                                                   \
    explicit __nv_fp8_##NAME(double value)                                                         \
        : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, KIND)) {}                              \
    explicit __nv_fp8_##NAME(float value)                                                          \
        : __x(__nv_cvt_float_to_fp8(value, __NV_SATFINITE, KIND)) {}                               \
    explicit __nv_fp8_##NAME(__half value)                                                         \
        : __x(__nv_cvt_halfraw_to_fp8(value, __NV_SATFINITE, KIND)) {}                             \
    explicit __nv_fp8_##NAME(__nv_bfloat16 value)                                                  \
        : __x(__nv_cvt_bfloat16raw_to_fp8(value, __NV_SATFINITE, KIND)) {}                         \
    explicit operator float() const { return __half(__nv_cvt_fp8_to_halfraw(__x, KIND)); }         \
    explicit operator double() const { return static_cast<float>(*this); }                         \
    explicit operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, KIND); }                \
    explicit operator __nv_bfloat16() const { return static_cast<float>(*this); }                  \
    COURSE_CPU_FP8_INTEGER(NAME, short)                                                            \
    COURSE_CPU_FP8_INTEGER(NAME, unsigned short)                                                   \
    COURSE_CPU_FP8_INTEGER(NAME, int)                                                              \
    COURSE_CPU_FP8_INTEGER(NAME, unsigned)                                                         \
    COURSE_CPU_FP8_INTEGER(NAME, long)                                                             \
    COURSE_CPU_FP8_INTEGER(NAME, unsigned long)                                                    \
    COURSE_CPU_FP8_INTEGER(NAME, long long)                                                        \
    COURSE_CPU_FP8_INTEGER(NAME, unsigned long long)                                               \
    explicit operator char() const { return course_cpu::truncated<char>(float(*this)); }           \
    explicit operator signed char() const {                                                        \
      return course_cpu::truncated<signed char>(float(*this));                                     \
    }                                                                                              \
    explicit operator unsigned char() const {                                                      \
      return course_cpu::truncated<unsigned char>(float(*this));                                   \
    }                                                                                              \
    explicit operator bool() const { return (__x & 0x7F) != 0; }                                   \
  };                                                                                               \
  struct [[gnu::may_alias]] alignas(2) __nv_fp8x2_##NAME {                                         \
    __nv_fp8x2_storage_t __x;                                                                      \
    __nv_fp8x2_##NAME() = default;                                                                 \
    explicit __nv_fp8x2_##NAME(double2 value)                                                      \
        : __x(__nv_cvt_double2_to_fp8x2(value, __NV_SATFINITE, KIND)) {}                           \
    explicit __nv_fp8x2_##NAME(float2 value)                                                       \
        : __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, KIND)) {}                            \
    explicit __nv_fp8x2_##NAME(__half2 value)                                                      \
        : __x(__nv_cvt_halfraw2_to_fp8x2(value, __NV_SATFINITE, KIND)) {}                          \
    explicit __nv_fp8x2_##NAME(__nv_bfloat162 value)                                               \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(value, __NV_SATFINITE, KIND)) {}                      \
    explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, KIND); }            \
    explicit operator float2() const { return __half22float2(static_cast<__half2>(*this)); }       \
  };                                                                                               \
  struct [[gnu::may_alias]] alignas(4) __nv_fp8x4_##NAME {                                         \
    __nv_fp8x4_storage_t __x;                                                                      \
    __nv_fp8x4_##NAME() = default;                                                                 \
    explicit __nv_fp8x4_##NAME(double4 value)                                                      \
        : __x(both(double2{value.x, value.y}, double2{value.z, value.w})) {}                       \
    explicit __nv_fp8x4_##NAME(float4 value)                                                       \
        : __x(both(float2{value.x, value.y}, float2{value.z, value.w})) {}                         \
    explicit __nv_fp8x4_##NAME(__half2 low, __half2 high) : __x(both(low, high)) {}                \
    explicit __nv_fp8x4_##NAME(__nv_bfloat162 low, __nv_bfloat162 high) : __x(both(low, high)) {}  \
    explicit operator float4() const {                                                             \
      __nv_fp8x2_##NAME low, high;                                                                 \
      low.__x = static_cast<unsigned short>(__x & 0xFFFF);                                         \
      high.__x = static_cast<unsigned short>(__x >> 16);                                           \
      const float2 a(low), b(high);                                                                \
      return {a.x, a.y, b.x, b.y};                                                                 \
    }                                                                                              \
                                                                                                   \
  private:                                                                                         \
    template <class Pair> static __nv_fp8x4_storage_t both(Pair low, Pair high) {                  \
      return __nv_fp8x2_##NAME(low).__x | static_cast<unsigned>(__nv_fp8x2_##NAME(high).__x)       \
                                              << 16;                                               \
    }                                                                                              \
  };
COURSE_CPU_FP8(e4m3, __NV_E4M3)
COURSE_CPU_FP8(e5m2, __NV_E5M2)
#undef COURSE_CPU_FP8
#undef COURSE_CPU_FP8_INTEGER

COURSE_CPU_BOTH_SPACES_END
