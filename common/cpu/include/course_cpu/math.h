// Mathematics that CUDA adds to <cmath>: device functions, intrinsics, min and max for all types.
// The fast intrinsics are as accurate as the functions they stand for; __expf and __logf differ
// from these by less than 1.5 units in the last place, and loops with them get vectors.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <math.h>
#include <stdlib.h>
#include <type_traits>

#ifdef __GLIBC_PREREQ
#define COURSE_CPU_GLIBC(major, minor) __GLIBC_PREREQ(major, minor)
#else
#define COURSE_CPU_GLIBC(major, minor) 0
#endif

COURSE_CPU_BOTH_SPACES

// ---- min and max: CUDA's overloads, mixed integer types as CUDA converts them ----

#define COURSE_CPU_MIN_MAX(RESULT, A, B)                                                           \
  constexpr RESULT min(A a, B b) {                                                                 \
    return static_cast<RESULT>(a) < static_cast<RESULT>(b) ? static_cast<RESULT>(a)                \
                                                           : static_cast<RESULT>(b);               \
  }                                                                                                \
  constexpr RESULT max(A a, B b) {                                                                 \
    return static_cast<RESULT>(a) > static_cast<RESULT>(b) ? static_cast<RESULT>(a)                \
                                                           : static_cast<RESULT>(b);               \
  }

COURSE_CPU_MIN_MAX(int, int, int)
COURSE_CPU_MIN_MAX(unsigned, unsigned, unsigned)
COURSE_CPU_MIN_MAX(unsigned, int, unsigned)
COURSE_CPU_MIN_MAX(unsigned, unsigned, int)
COURSE_CPU_MIN_MAX(long, long, long)
COURSE_CPU_MIN_MAX(unsigned long, unsigned long, unsigned long)
COURSE_CPU_MIN_MAX(unsigned long, long, unsigned long)
COURSE_CPU_MIN_MAX(unsigned long, unsigned long, long)
COURSE_CPU_MIN_MAX(long long, long long, long long)
COURSE_CPU_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
COURSE_CPU_MIN_MAX(unsigned long long, long long, unsigned long long)
COURSE_CPU_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef COURSE_CPU_MIN_MAX

// Of a number and a NaN, the number.
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin(a, b); }
inline double max(float a, double b) { return fmax(a, b); }
inline double min(double a, float b) { return fmin(a, b); }
inline double max(double a, float b) { return fmax(a, b); }

inline unsigned umin(unsigned a, unsigned b) { return min(a, b); }
inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }

// ---- functions that <cmath> lacks ----

#if !COURSE_CPU_GLIBC(2, 42)
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
#endif
inline float rsqrt(float x) { return 1 / std::sqrt(x); }

#if !defined(__GLIBC__) || !defined(_GNU_SOURCE)
inline void sincos(double x, double *s, double *c) {
  *s = std::sin(x);
  *c = std::cos(x);
}
inline void sincosf(float x, float *s, float *c) {
  *s = std::sin(x);
  *c = std::cos(x);
}
inline double exp10(double x) { return std::pow(10.0, x); }
inline float exp10f(float x) { return std::pow(10.0f, x); }
#endif
inline void sincos(float x, float *s, float *c) { sincosf(x, s, c); }

// ---- fast intrinsics ----

namespace course_cpu {

template <class To, class From> To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "types of one size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
inline unsigned bits_of(float x) { return same_bits<unsigned>(x); }
inline float float_of(unsigned bits) { return same_bits<float>(bits); }

// ln(2) in two parts, of which the first times a small integer is exact.
constexpr float ln2_high = 0x1.63p-1f, ln2_low = -2.12194440e-4f;

} // namespace course_cpu

// e^x = 2^n e^r with |r| <= ln(2) / 2, where eight terms of the series of e^r are enough.
inline float __expf(float x) {
  using namespace course_cpu;
  const float bounded = x < -104.0f ? -104.0f : x > 89.0f ? 89.0f : x; // beyond: 0 and infinity
  const float shift = 0x1.8p23f; // a sum with it ends in the nearest integer
  const int n = static_cast<int>(bits_of(bounded * 1.44269504f + shift) - bits_of(shift));
  const float r = bounded - n * ln2_high - n * ln2_low;
  const float tail = 1 / 24.0f + r * (1 / 120.0f + r * (1 / 720.0f + r * (1 / 5040.0f)));
  const float e = 1 + r * (1 + r * (1 / 2.0f + r * (1 / 6.0f + r * tail)));
  // 2^n in two factors, since n goes from -150 to 128.
  const unsigned exponent = n + 2u * 128, half = exponent / 2;
  return e * float_of((half - 1) << 23) * float_of((exponent - half - 1) << 23);
}

// ln(2^n m) = n ln(2) + ln(m) with m near 1; ln(m) = 2 artanh(s), s = (m - 1) / (m + 1).
inline float __logf(float x) {
  using namespace course_cpu;
  const bool subnormal = x < 0x1p-126f;
  const unsigned least = 0x3f3504f3; // m is at least the root of 1/2
  const unsigned bits = bits_of(subnormal ? x * 0x1p23f : x) - least;
  const int n = (static_cast<int>(bits) >> 23) - (subnormal ? 23 : 0);
  const float f = float_of((bits & 0x7fffff) + least) - 1;
  const float s = f / (2 + f), s2 = s * s;
  const float series = s2 * (2 / 3.0f + s2 * (2 / 5.0f + s2 * (2 / 7.0f + s2 * (2 / 9.0f))));
  const float log = n * ln2_low + (s * series + (f - s * f)) + n * ln2_high;
  const float infinity = std::numeric_limits<float>::infinity();
  if (x > 0)
    return x < infinity ? log : x;
  return x == 0 ? -infinity : std::numeric_limits<float>::quiet_NaN();
}

inline float __sinf(float x) { return std::sin(x); }
inline float __cosf(float x) { return std::cos(x); }
inline float __log2f(float x) { return std::log2(x); }
inline float __powf(float x, float y) { return std::pow(x, y); }
inline void __sincosf(float x, float *s, float *c) { sincosf(x, s, c); }
inline float __fdividef(float a, float b) { return a / b; }

COURSE_CPU_BOTH_SPACES_END

// ---- arithmetic with the rounding in the name: never contracted to a fused multiply-add ----

namespace course_cpu {

// Hides from the compiler how a value came about.
template <class T> T opaque(T x) {
#if defined(__x86_64__)
  asm("" : "+x"(x));
#elif defined(__aarch64__)
  asm("" : "+w"(x));
#endif
  return x;
}

} // namespace course_cpu

__device__ inline float __fadd_rn(float a, float b) {
  return course_cpu::opaque(course_cpu::opaque(a) + b);
}
__device__ inline float __fmul_rn(float a, float b) { return course_cpu::opaque(a * b); }
__device__ inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
__device__ inline double __dadd_rn(double a, double b) {
  return course_cpu::opaque(course_cpu::opaque(a) + b);
}
__device__ inline double __dmul_rn(double a, double b) { return course_cpu::opaque(a * b); }
__device__ inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }

// ---- integers ----

__device__ inline int __popc(unsigned x) { return __builtin_popcount(x); }
__device__ inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__device__ inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
__device__ inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
__device__ inline int __ffs(int x) { return __builtin_ffs(x); }
__device__ inline int __ffsll(long long x) { return __builtin_ffsll(x); }

__device__ inline unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0F0F0F0Fu) | (x & 0x0F0F0F0Fu) << 4;
  return __builtin_bswap32(x);
}

// Products of the lower 24 bits, whose sign is bit 23.
__device__ inline unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xFFFFFFu) * (b & 0xFFFFFFu);
}
__device__ inline int __mul24(int a, int b) {
  const auto sign_extended = [](int v) {
    return static_cast<int>(static_cast<unsigned>(v) << 8) >> 8;
  };
  return static_cast<int>(static_cast<unsigned>(sign_extended(a)) *
                          static_cast<unsigned>(sign_extended(b)));
}

// ---- conversions ----

__device__ inline int __float_as_int(float x) { return course_cpu::same_bits<int>(x); }
__device__ inline unsigned __float_as_uint(float x) { return course_cpu::same_bits<unsigned>(x); }
__device__ inline float __int_as_float(int x) { return course_cpu::same_bits<float>(x); }
__device__ inline float __uint_as_float(unsigned x) { return course_cpu::same_bits<float>(x); }
__device__ inline long long __double_as_longlong(double x) {
  return course_cpu::same_bits<long long>(x);
}
__device__ inline double __longlong_as_double(long long x) {
  return course_cpu::same_bits<double>(x);
}

// Rounded to nearest even, towards zero, down and up. Out of range gives the nearest end of the
// range, NaN gives 0.
#define COURSE_CPU_FLOAT_TO_INT(NAME, ROUNDED)                                                     \
  __device__ inline int NAME(float x) {                                                            \
    const int most = std::numeric_limits<int>::max(), least = std::numeric_limits<int>::min();     \
    return x != x                           ? 0                                                    \
           : x >= static_cast<float>(most)  ? most                                                 \
           : x <= static_cast<float>(least) ? least                                                \
                                            : static_cast<int>(ROUNDED(x));                        \
  }
COURSE_CPU_FLOAT_TO_INT(__float2int_rn, std::nearbyint)
COURSE_CPU_FLOAT_TO_INT(__float2int_rz, std::trunc)
COURSE_CPU_FLOAT_TO_INT(__float2int_rd, std::floor)
COURSE_CPU_FLOAT_TO_INT(__float2int_ru, std::ceil)
#undef COURSE_CPU_FLOAT_TO_INT

// The dot product of the four bytes of two words, and a third number.
__device__ inline int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8)
    c += static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i);
  return c;
}
__device__ inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8)
    c += (a >> i & 0xFF) * (b >> i & 0xFF);
  return c;
}
__device__ inline int __dp4a(char4 a, char4 b, int c) {
  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
__device__ inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c) {
  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// ---- loads and stores with a cache hint ----

template <class T> __device__ T __ldg(const T *p) { return *p; }
template <class T> __device__ T __ldcs(const T *p) { return *p; }
// The pointer alone gives the type.
template <class T> __device__ void __stcs(T *p, std::common_type_t<T> value) { *p = value; }

#undef COURSE_CPU_GLIBC
