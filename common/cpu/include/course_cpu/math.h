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
inline long long llmin(long long a, long long b) { return min(a, b); }
inline long long llmax(long long a, long long b) { return max(a, b); }

// ---- functions that <cmath> lacks ----

#if !COURSE_CPU_GLIBC(2, 42)
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
#endif
inline float rsqrt(float x) { return 1 / std::sqrt(x); }
inline double rcbrt(double x) { return 1 / std::cbrt(x); }
inline float rcbrtf(float x) { return 1 / std::cbrt(x); }
inline double rhypot(double x, double y) { return 1 / std::hypot(x, y); }
inline float rhypotf(float x, float y) { return 1 / std::hypot(x, y); }
inline double norm3d(double a, double b, double c) { return std::hypot(a, b, c); }
inline float norm3df(float a, float b, float c) { return std::hypot(a, b, c); }
inline double rnorm3d(double a, double b, double c) { return 1 / std::hypot(a, b, c); }
inline float rnorm3df(float a, float b, float c) { return 1 / std::hypot(a, b, c); }
inline double normcdf(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752440); }
inline float normcdff(float x) { return static_cast<float>(normcdf(x)); }
inline double erfcx(double x) { return std::exp(x * x) * std::erfc(x); }
inline float erfcxf(float x) { return static_cast<float>(erfcx(x)); }

namespace course_cpu {

// sin(pi x) and cos(pi x): exact at multiples of a half, as the remainder is taken before pi.
template <class T> T sin_pi(T x) {
  const T r = std::remainder(x, T(2)); // in [-1, 1]
  if (r == 0 || std::fabs(r) == 1)
    return std::copysign(T(0), x);
  return static_cast<T>(std::sin(3.14159265358979323846 * double(r)));
}

template <class T> T cos_pi(T x) {
  const T r = std::fabs(std::remainder(x, T(2)));
  return r == T(0.5) ? T(0) : static_cast<T>(std::cos(3.14159265358979323846 * double(r)));
}

} // namespace course_cpu

#if !COURSE_CPU_GLIBC(2, 41)
inline double sinpi(double x) { return course_cpu::sin_pi(x); }
inline float sinpif(float x) { return course_cpu::sin_pi(x); }
inline double cospi(double x) { return course_cpu::cos_pi(x); }
inline float cospif(float x) { return course_cpu::cos_pi(x); }
#endif
inline float sinpi(float x) { return course_cpu::sin_pi(x); }
inline float cospi(float x) { return course_cpu::cos_pi(x); }

inline void sincospi(double x, double *s, double *c) {
  *s = course_cpu::sin_pi(x);
  *c = course_cpu::cos_pi(x);
}
inline void sincospif(float x, float *s, float *c) {
  *s = course_cpu::sin_pi(x);
  *c = course_cpu::cos_pi(x);
}
inline void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }
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

inline float fdividef(float a, float b) { return a / b; }
inline float fdivide(float a, float b) { return a / b; }
inline double fdivide(double a, double b) { return a / b; }

// ---- fast intrinsics ----

namespace course_cpu {

inline unsigned bits_of(float x) {
  unsigned bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline float float_of(unsigned bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

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
inline float __tanf(float x) { return std::tan(x); }
inline float __exp10f(float x) { return exp10f(x); }
inline float __log2f(float x) { return std::log2(x); }
inline float __log10f(float x) { return std::log10(x); }
inline float __powf(float x, float y) { return std::pow(x, y); }
inline void __sincosf(float x, float *s, float *c) { sincosf(x, s, c); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); } // NaN gives 0

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
__device__ inline float __fsub_rn(float a, float b) {
  return course_cpu::opaque(course_cpu::opaque(a) - b);
}
__device__ inline float __fmul_rn(float a, float b) { return course_cpu::opaque(a * b); }
__device__ inline float __fdiv_rn(float a, float b) { return a / b; }
__device__ inline float __frcp_rn(float a) { return 1 / a; }
__device__ inline float __fsqrt_rn(float a) { return std::sqrt(a); }
__device__ inline float __frsqrt_rn(float a) {
  return static_cast<float>(1 / std::sqrt(double(a)));
}
__device__ inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
__device__ inline double __dadd_rn(double a, double b) {
  return course_cpu::opaque(course_cpu::opaque(a) + b);
}
__device__ inline double __dsub_rn(double a, double b) {
  return course_cpu::opaque(course_cpu::opaque(a) - b);
}
__device__ inline double __dmul_rn(double a, double b) { return course_cpu::opaque(a * b); }
__device__ inline double __ddiv_rn(double a, double b) { return a / b; }
__device__ inline double __drcp_rn(double a) { return 1 / a; }
__device__ inline double __dsqrt_rn(double a) { return std::sqrt(a); }
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
__device__ inline unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}

// Bytes of the 8-byte value y:x, chosen by the four hexadecimal digits of `selector`; a digit's
// fourth bit replicates the sign of its byte.
__device__ inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long both = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
  for (int i = 0; i < 4; i++) {
    const unsigned choice = selector >> 4 * i;
    unsigned byte = both >> 8 * (choice & 7) & 0xFF;
    if (choice & 8)
      byte = byte & 0x80 ? 0xFF : 0;
    result |= byte << 8 * i;
  }
  return result;
}

__device__ inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) << (shift & 31) >> 32);
}
__device__ inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((static_cast<uint64_t>(high) << 32 | low) >> (shift & 31));
}

__device__ inline int __mulhi(int a, int b) {
  return static_cast<int>(static_cast<int64_t>(a) * b >> 32);
}
__device__ inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<uint64_t>(a) * b >> 32);
}
__extension__ typedef __int128 course_cpu_int128;
__extension__ typedef unsigned __int128 course_cpu_uint128;
__device__ inline long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<course_cpu_int128>(a) * b >> 64);
}
__device__ inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<course_cpu_uint128>(a) * b >> 64);
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

__device__ inline unsigned __sad(int a, int b, unsigned c) {
  return c + (a > b ? static_cast<unsigned>(a) - b : static_cast<unsigned>(b) - a);
}
__device__ inline unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return c + (a > b ? a - b : b - a);
}
__device__ inline int __hadd(int a, int b) {
  return static_cast<int>((static_cast<int64_t>(a) + b) >> 1);
}
__device__ inline int __rhadd(int a, int b) {
  return static_cast<int>((static_cast<int64_t>(a) + b + 1) >> 1);
}

// ---- conversions ----

namespace course_cpu {

template <class To, class From> To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "types of one size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

// Out of range gives the nearest end of the range, NaN gives 0.
template <class To, class From> To to_integer(From x) {
  using Limits = std::numeric_limits<To>;
  if (x != x)
    return 0;
  if (x >= static_cast<From>(Limits::max()))
    return Limits::max();
  if (x <= static_cast<From>(Limits::min()))
    return Limits::min();
  return static_cast<To>(x);
}

} // namespace course_cpu

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
__device__ inline int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
__device__ inline int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
__device__ inline double __hiloint2double(int high, int low) {
  return __longlong_as_double(
      static_cast<long long>(static_cast<uint64_t>(high) << 32 | static_cast<unsigned>(low)));
}

// Rounded to nearest even, towards zero, down and up.
#define COURSE_CPU_TO_INTEGER(FROM, NAME, TO)                                                      \
  __device__ inline TO __##NAME##_rn(FROM x) {                                                     \
    return course_cpu::to_integer<TO>(std::nearbyint(x));                                          \
  }                                                                                                \
  __device__ inline TO __##NAME##_rz(FROM x) { return course_cpu::to_integer<TO>(std::trunc(x)); } \
  __device__ inline TO __##NAME##_rd(FROM x) { return course_cpu::to_integer<TO>(std::floor(x)); } \
  __device__ inline TO __##NAME##_ru(FROM x) { return course_cpu::to_integer<TO>(std::ceil(x)); }

COURSE_CPU_TO_INTEGER(float, float2int, int)
COURSE_CPU_TO_INTEGER(float, float2uint, unsigned)
COURSE_CPU_TO_INTEGER(float, float2ll, long long)
COURSE_CPU_TO_INTEGER(float, float2ull, unsigned long long)
COURSE_CPU_TO_INTEGER(double, double2int, int)
COURSE_CPU_TO_INTEGER(double, double2uint, unsigned)
COURSE_CPU_TO_INTEGER(double, double2ll, long long)
COURSE_CPU_TO_INTEGER(double, double2ull, unsigned long long)
#undef COURSE_CPU_TO_INTEGER

__device__ inline float __int2float_rn(int x) { return static_cast<float>(x); }
__device__ inline float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
__device__ inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
__device__ inline float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
__device__ inline float __double2float_rn(double x) { return static_cast<float>(x); }
__device__ inline double __int2double_rn(int x) { return x; }
__device__ inline double __uint2double_rn(unsigned x) { return x; }
__device__ inline double __ll2double_rn(long long x) { return static_cast<double>(x); }
__device__ inline double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }

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
template <class T> __device__ T __ldca(const T *p) { return *p; }
template <class T> __device__ T __ldcg(const T *p) { return *p; }
template <class T> __device__ T __ldcs(const T *p) { return *p; }
template <class T> __device__ T __ldlu(const T *p) { return *p; }
template <class T> __device__ T __ldcv(const T *p) { return *p; }
// The pointer alone gives the type.
template <class T> __device__ void __stcs(T *p, std::common_type_t<T> value) { *p = value; }
template <class T> __device__ void __stcg(T *p, std::common_type_t<T> value) { *p = value; }
template <class T> __device__ void __stwb(T *p, std::common_type_t<T> value) { *p = value; }
template <class T> __device__ void __stwt(T *p, std::common_type_t<T> value) { *p = value; }

#undef COURSE_CPU_GLIBC
