// Half precision: 11 bits of mantissa, 5 of exponent. Each operation is done in float, which holds
// every half, and rounded once to the nearest half, ties to even.
#pragma once

#include "course_cpu/small_floats.h"
#include "cuda_runtime.h"

#include <cmath>
#include <cstdint>
#include <cstring>

COURSE_CPU_BOTH_SPACES

#define __CUDA_FP16_H__ // others look whether NVIDIA's header is there

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

#define COURSE_CPU_T __half
#define COURSE_CPU_T2 __half2
#define COURSE_CPU_RAW __half_raw
#define COURSE_CPU_RAW2 __half2_raw
#define COURSE_CPU_BITS course_cpu::half_bits
#define COURSE_CPU_VALUE course_cpu::half_value
#include "course_cpu/sixteen_bits.inc"

using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;

// ---- conversions ----

inline __half __float2half(float value) { return value; }
inline float __half2float(__half value) { return value; }
inline unsigned short __half_as_ushort(__half value) { return value.bits; }
inline __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }

inline __half2 __float2half2_rn(float value) { return {value, value}; }
inline __half2 __floats2half2_rn(float low, float high) { return {low, high}; }
inline float2 __half22float2(__half2 value) { return {value.x, value.y}; }
inline float __low2float(__half2 value) { return value.x; }
inline float __high2float(__half2 value) { return value.y; }
inline __half __low2half(__half2 value) { return value.x; }
inline __half __high2half(__half2 value) { return value.y; }

COURSE_CPU_BOTH_SPACES_END
