// Half precision: 11 bits of mantissa, 5 of exponent. Each operation is done in float, which holds
// every half, and rounded once to the nearest half, ties to even.
#pragma once

#include "cuda_runtime.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace course_cpu {

inline unsigned short half_bits(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const auto sign = static_cast<unsigned short>(bits >> 48 & 0x8000);
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF) - 1023;
  const std::uint64_t mantissa = bits & 0xFFFFFFFFFFFFF;
  if (exponent == 1024) // infinite, or NaN: the one that CUDA gives
    return mantissa ? 0x7FFF : sign | 0x7C00;
  if (exponent > 15)
    return sign | 0x7C00;
  if (exponent < -25)
    return sign;
  // The bits that stay are those of a half: the lowest exponent has the subnormal ones too.
  const int dropped = exponent < -14 ? 42 + (-14 - exponent) : 42;
  const std::uint64_t whole = mantissa | std::uint64_t{1} << 52;
  std::uint64_t kept = whole >> dropped;
  const std::uint64_t rest = whole & ((std::uint64_t{1} << dropped) - 1);
  const std::uint64_t middle = std::uint64_t{1} << (dropped - 1);
  kept += rest > middle || (rest == middle && (kept & 1));
  const int biased = exponent < -14 ? 0 : exponent + 14; // the leading bit adds one
  return static_cast<unsigned short>(sign | ((static_cast<std::uint64_t>(biased) << 10) + kept));
}

inline float half_value(unsigned short bits) {
  const int exponent = bits >> 10 & 0x1F, mantissa = bits & 0x3FF;
  const float sign = bits & 0x8000 ? -1.0f : 1.0f;
  if (exponent == 31)
    return mantissa ? NAN : sign * INFINITY;
  return sign * (exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -24)
                               : std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25));
}

} // namespace course_cpu

struct __half_raw {
  unsigned short x;
};

struct __half {
  unsigned short bits;

  __half() = default;
  __half(const __half_raw &raw) : bits(raw.x) {}
  __half(float value) : bits(course_cpu::half_bits(value)) {}
  __half(double value) : bits(course_cpu::half_bits(value)) {}
  __half(int value) : __half(static_cast<double>(value)) {}
  __half(unsigned value) : __half(static_cast<double>(value)) {}
  __half(short value) : __half(static_cast<double>(value)) {}
  __half(unsigned short value) : __half(static_cast<double>(value)) {}
  __half(long value) : __half(static_cast<double>(value)) {}
  __half(unsigned long value) : __half(static_cast<double>(value)) {}
  __half(long long value) : __half(static_cast<double>(value)) {}
  __half(unsigned long long value) : __half(static_cast<double>(value)) {}

  operator float() const { return course_cpu::half_value(bits); }
  operator __half_raw() const { return {bits}; }
  explicit operator double() const { return course_cpu::half_value(bits); }
  explicit operator int() const { return static_cast<int>(course_cpu::half_value(bits)); }
  explicit operator bool() const { return course_cpu::half_value(bits) != 0; }
};
using half = __half;

struct alignas(4) __half2 {
  __half x, y;

  __half2() = default;
  __half2(const __half &low, const __half &high) : x(low), y(high) {}
};
using half2 = __half2;

// ---- conversions ----

inline __half __float2half(float value) { return value; }
inline __half __float2half_rn(float value) { return value; }
inline __half __double2half(double value) { return value; }
inline __half __int2half_rn(int value) { return value; }
inline __half __uint2half_rn(unsigned value) { return value; }
inline float __half2float(__half value) { return value; }
inline int __half2int_rn(__half value) { return static_cast<int>(std::nearbyint(float(value))); }
inline int __half2int_rz(__half value) { return static_cast<int>(float(value)); }
inline int __half2int_rd(__half value) { return static_cast<int>(std::floor(float(value))); }
inline int __half2int_ru(__half value) { return static_cast<int>(std::ceil(float(value))); }
inline unsigned short __half_as_ushort(__half value) { return value.bits; }
inline short __half_as_short(__half value) { return static_cast<short>(value.bits); }
inline __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }
inline __half __short_as_half(short bits) { return __half_raw{static_cast<unsigned short>(bits)}; }

inline __half2 make_half2(__half low, __half high) { return {low, high}; }
inline __half2 __halves2half2(__half low, __half high) { return {low, high}; }
inline __half2 __half2half2(__half value) { return {value, value}; }
inline __half2 __float2half2_rn(float value) { return {value, value}; }
inline __half2 __floats2half2_rn(float low, float high) { return {low, high}; }
inline __half2 __float22half2_rn(float2 value) { return {value.x, value.y}; }
inline float2 __half22float2(__half2 value) { return {value.x, value.y}; }
inline float __low2float(__half2 value) { return value.x; }
inline float __high2float(__half2 value) { return value.y; }
inline __half __low2half(__half2 value) { return value.x; }
inline __half __high2half(__half2 value) { return value.y; }
inline __half2 __low2half2(__half2 value) { return {value.x, value.x}; }
inline __half2 __high2half2(__half2 value) { return {value.y, value.y}; }
inline __half2 __lowhigh2highlow(__half2 value) { return {value.y, value.x}; }

// ---- arithmetic: NAME of halves, NAME2 of pairs ----

#define COURSE_CPU_HALF_BINARY(NAME, NAME2, EXPRESSION)                                            \
  inline __half NAME(__half first, __half second) {                                                \
    const float a = first, b = second;                                                             \
    return EXPRESSION;                                                                             \
  }                                                                                                \
  inline __half2 NAME2(__half2 a, __half2 b) { return {NAME(a.x, b.x), NAME(a.y, b.y)}; }
COURSE_CPU_HALF_BINARY(__hadd, __hadd2, a + b)
COURSE_CPU_HALF_BINARY(__hsub, __hsub2, a - b)
COURSE_CPU_HALF_BINARY(__hmul, __hmul2, a *b)
COURSE_CPU_HALF_BINARY(__hadd_rn, __hadd2_rn, a + b)
COURSE_CPU_HALF_BINARY(__hsub_rn, __hsub2_rn, a - b)
COURSE_CPU_HALF_BINARY(__hmul_rn, __hmul2_rn, a *b)
COURSE_CPU_HALF_BINARY(__hdiv, __h2div, a / b)
COURSE_CPU_HALF_BINARY(__hmax, __hmax2, std::fmax(a, b))
COURSE_CPU_HALF_BINARY(__hmin, __hmin2, std::fmin(a, b))
COURSE_CPU_HALF_BINARY(__hadd_sat, __hadd2_sat, std::fmin(std::fmax(a + b, 0.0f), 1.0f))
COURSE_CPU_HALF_BINARY(__hsub_sat, __hsub2_sat, std::fmin(std::fmax(a - b, 0.0f), 1.0f))
COURSE_CPU_HALF_BINARY(__hmul_sat, __hmul2_sat, std::fmin(std::fmax(a *b, 0.0f), 1.0f))
#undef COURSE_CPU_HALF_BINARY

#define COURSE_CPU_HALF_UNARY(NAME, NAME2, EXPRESSION)                                             \
  inline __half NAME(__half value) {                                                               \
    const float a = value;                                                                         \
    return EXPRESSION;                                                                             \
  }                                                                                                \
  inline __half2 NAME2(__half2 a) { return {NAME(a.x), NAME(a.y)}; }
COURSE_CPU_HALF_UNARY(__hneg, __hneg2, -a)
COURSE_CPU_HALF_UNARY(__habs, __habs2, std::fabs(a))
COURSE_CPU_HALF_UNARY(hsqrt, h2sqrt, std::sqrt(a))
COURSE_CPU_HALF_UNARY(hrsqrt, h2rsqrt, 1 / std::sqrt(static_cast<double>(a)))
COURSE_CPU_HALF_UNARY(hrcp, h2rcp, 1 / a)
COURSE_CPU_HALF_UNARY(hexp, h2exp, std::exp(static_cast<double>(a)))
COURSE_CPU_HALF_UNARY(hexp2, h2exp2, std::exp2(static_cast<double>(a)))
COURSE_CPU_HALF_UNARY(hexp10, h2exp10, std::pow(10.0, static_cast<double>(a)))
COURSE_CPU_HALF_UNARY(hlog, h2log, std::log(static_cast<double>(a)))
COURSE_CPU_HALF_UNARY(hlog2, h2log2, std::log2(static_cast<double>(a)))
COURSE_CPU_HALF_UNARY(hlog10, h2log10, std::log10(static_cast<double>(a)))
COURSE_CPU_HALF_UNARY(hsin, h2sin, std::sin(static_cast<double>(a)))
COURSE_CPU_HALF_UNARY(hcos, h2cos, std::cos(static_cast<double>(a)))
COURSE_CPU_HALF_UNARY(hceil, h2ceil, std::ceil(a))
COURSE_CPU_HALF_UNARY(hfloor, h2floor, std::floor(a))
COURSE_CPU_HALF_UNARY(hrint, h2rint, std::nearbyint(a))
COURSE_CPU_HALF_UNARY(htrunc, h2trunc, std::trunc(a))
#undef COURSE_CPU_HALF_UNARY

// Rounded once: the product of two halves is exact in double.
inline __half __hfma(__half a, __half b, __half c) {
  return static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c);
}
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

// ---- comparisons: false where a value is NaN, but for NAMEu and !=, true there ----

inline bool __hisnan(__half value) { return std::isnan(float(value)); }

#define COURSE_CPU_HALF_COMPARED(NAME, RESULT)                                                     \
  inline bool __h##NAME(__half a, __half b) { return RESULT; }                                     \
  inline __half2 __h##NAME##2(__half2 a, __half2 b) {                                              \
    return {__half(float(__h##NAME(a.x, b.x))), __half(float(__h##NAME(a.y, b.y)))};               \
  }                                                                                                \
  inline bool __hb##NAME##2(__half2 a, __half2 b) {                                                \
    return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y);                                             \
  }
#define COURSE_CPU_HALF_COMPARISON(NAME, OPERATOR)                                                 \
  inline bool operator OPERATOR(const __half &a, const __half &b) {                                \
    return float(a) OPERATOR float(b);                                                             \
  }                                                                                                \
  COURSE_CPU_HALF_COMPARED(NAME, !__hisnan(a) && !__hisnan(b) && a OPERATOR b)                     \
  COURSE_CPU_HALF_COMPARED(NAME##u, __hisnan(a) || __hisnan(b) || a OPERATOR b)
COURSE_CPU_HALF_COMPARISON(eq, ==)
COURSE_CPU_HALF_COMPARISON(ne, !=)
COURSE_CPU_HALF_COMPARISON(lt, <)
COURSE_CPU_HALF_COMPARISON(le, <=)
COURSE_CPU_HALF_COMPARISON(gt, >)
COURSE_CPU_HALF_COMPARISON(ge, >=)
#undef COURSE_CPU_HALF_COMPARISON
#undef COURSE_CPU_HALF_COMPARED
inline int __hisinf(__half value) {
  return std::isinf(float(value)) ? (float(value) < 0 ? -1 : 1) : 0;
}

// ---- operators ----

#define COURSE_CPU_HALF_OPERATOR(OPERATOR, NAME, NAME2)                                            \
  inline __half operator OPERATOR(const __half &a, const __half &b) { return NAME(a, b); }         \
  inline __half &operator OPERATOR##=(__half &a, const __half &b) { return a = NAME(a, b); }       \
  inline __half2 operator OPERATOR(const __half2 &a, const __half2 &b) { return NAME2(a, b); }     \
  inline __half2 &operator OPERATOR##=(__half2 &a, const __half2 &b) { return a = NAME2(a, b); }
COURSE_CPU_HALF_OPERATOR(+, __hadd, __hadd2)
COURSE_CPU_HALF_OPERATOR(-, __hsub, __hsub2)
COURSE_CPU_HALF_OPERATOR(*, __hmul, __hmul2)
COURSE_CPU_HALF_OPERATOR(/, __hdiv, __h2div)
#undef COURSE_CPU_HALF_OPERATOR
inline __half operator-(const __half &value) { return __hneg(value); }
inline __half operator+(const __half &value) { return value; }
inline __half2 operator-(const __half2 &value) { return __hneg2(value); }

// ---- shuffles: as the bits that they are ----

#define COURSE_CPU_HALF_SHUFFLE(NAME, SOURCE)                                                      \
  inline __half2 NAME(unsigned mask, __half2 value, SOURCE source, int width = 32,                 \
                      course_cpu::SourceLine line = course_cpu::here()) {                          \
    unsigned bits;                                                                                 \
    std::memcpy(&bits, &value, sizeof bits);                                                       \
    bits = NAME(mask, bits, source, width, line);                                                  \
    std::memcpy(static_cast<void *>(&value), &bits, sizeof bits);                                  \
    return value;                                                                                  \
  }                                                                                                \
  inline __half NAME(unsigned mask, __half value, SOURCE source, int width = 32,                   \
                     course_cpu::SourceLine line = course_cpu::here()) {                           \
    return NAME(mask, __half2(value, value), source, width, line).x;                               \
  }
COURSE_CPU_HALF_SHUFFLE(__shfl_sync, int)
COURSE_CPU_HALF_SHUFFLE(__shfl_up_sync, unsigned)
COURSE_CPU_HALF_SHUFFLE(__shfl_down_sync, unsigned)
COURSE_CPU_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef COURSE_CPU_HALF_SHUFFLE

// ---- atomics ----

inline __half atomicAdd(__half *address, __half value) {
  return course_cpu::atomic_update<course_cpu::device_scope>(
      address, [=](__half old) { return old + value; });
}
inline __half2 atomicAdd(__half2 *address, __half2 value) {
  return course_cpu::atomic_update<course_cpu::device_scope>(
      address, [=](__half2 old) { return old + value; });
}
