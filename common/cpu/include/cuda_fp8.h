// Floating-point numbers of 8 bits: e4m3 (largest 448, no infinities) and e5m2 (largest 57344).
// They are for storage: conversions, and nothing to compute with.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned int;

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturation,
                                                 __nv_fp8_interpretation_t kind) {
  const double largest = kind == __NV_E4M3 ? 448 : 57344;
  const double next = kind == __NV_E4M3 ? 480 : 65536; // what would follow: the half way rounds up
  const double size = std::fabs(value);
  if (size >= (largest + next) / 2 || (saturation == __NV_SATFINITE && size > largest)) {
    const int sign = std::signbit(value) ? 0x80 : 0;
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
  return __nv_cvt_double_to_fp8(value, saturation, kind);
}
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t kind) {
  return __half(kind == __NV_E4M3 ? course_cpu::small_value<4, 3, false>(bits)
                                  : course_cpu::small_value<5, 2>(bits));
}

#define COURSE_CPU_FP8(NAME, KIND)                                                                 \
  struct __nv_fp8_##NAME {                                                                         \
    __nv_fp8_storage_t __x;                                                                        \
    __nv_fp8_##NAME() = default;                                                                   \
    explicit __nv_fp8_##NAME(double value)                                                         \
        : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, KIND)) {}                              \
    explicit __nv_fp8_##NAME(float value) : __nv_fp8_##NAME(static_cast<double>(value)) {}         \
    explicit __nv_fp8_##NAME(__half value) : __nv_fp8_##NAME(static_cast<float>(value)) {}         \
    explicit __nv_fp8_##NAME(__nv_bfloat16 value) : __nv_fp8_##NAME(static_cast<float>(value)) {}  \
    explicit __nv_fp8_##NAME(int value) : __nv_fp8_##NAME(static_cast<double>(value)) {}           \
    explicit operator float() const { return __half(__nv_cvt_fp8_to_halfraw(__x, KIND)); }         \
    explicit operator double() const { return static_cast<float>(*this); }                         \
    explicit operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, KIND); }                \
    explicit operator __nv_bfloat16() const { return static_cast<float>(*this); }                  \
  };                                                                                               \
  struct alignas(2) __nv_fp8x2_##NAME {                                                            \
    __nv_fp8x2_storage_t __x;                                                                      \
    __nv_fp8x2_##NAME() = default;                                                                 \
    explicit __nv_fp8x2_##NAME(float2 value)                                                       \
        : __x(static_cast<unsigned short>(__nv_fp8_##NAME(value.x).__x |                           \
                                          __nv_fp8_##NAME(value.y).__x << 8)) {}                   \
    explicit operator float2() const {                                                             \
      __nv_fp8_##NAME low, high;                                                                   \
      low.__x = static_cast<unsigned char>(__x & 0xFF);                                            \
      high.__x = static_cast<unsigned char>(__x >> 8);                                             \
      return {float(low), float(high)};                                                            \
    }                                                                                              \
  };                                                                                               \
  struct alignas(4) __nv_fp8x4_##NAME {                                                            \
    __nv_fp8x4_storage_t __x;                                                                      \
    __nv_fp8x4_##NAME() = default;                                                                 \
    explicit __nv_fp8x4_##NAME(float4 value)                                                       \
        : __x(__nv_fp8x2_##NAME(float2{value.x, value.y}).__x |                                    \
              static_cast<unsigned>(__nv_fp8x2_##NAME(float2{value.z, value.w}).__x) << 16) {}     \
    explicit operator float4() const {                                                             \
      __nv_fp8x2_##NAME low, high;                                                                 \
      low.__x = static_cast<unsigned short>(__x & 0xFFFF);                                         \
      high.__x = static_cast<unsigned short>(__x >> 16);                                           \
      const float2 a(low), b(high);                                                                \
      return {a.x, a.y, b.x, b.y};                                                                 \
    }                                                                                              \
  };
COURSE_CPU_FP8(e4m3, __NV_E4M3)
COURSE_CPU_FP8(e5m2, __NV_E5M2)
#undef COURSE_CPU_FP8
