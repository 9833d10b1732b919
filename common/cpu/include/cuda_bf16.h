// bfloat16: a float's exponent with 8 bits of mantissa. Each operation is done in float, which
// holds every bfloat16, and rounded once to the nearest, ties to even.
#pragma once

#include "course_cpu/small_floats.h"
#include "cuda_runtime.h"

#include <cmath>
#include <cstdint>
#include <cstring>

COURSE_CPU_BOTH_SPACES

#define __CUDA_BF16_H__ // others look whether NVIDIA's header is there

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

#define COURSE_CPU_T __nv_bfloat16
#define COURSE_CPU_T2 __nv_bfloat162
#define COURSE_CPU_RAW __nv_bfloat16_raw
#define COURSE_CPU_RAW2 __nv_bfloat162_raw
#define COURSE_CPU_BITS course_cpu::bfloat_bits
#define COURSE_CPU_VALUE course_cpu::bfloat_value
#include "course_cpu/sixteen_bits.inc"

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

// ---- conversions ----

inline __nv_bfloat16 __float2bfloat16(float value) { return value; }
inline float __bfloat162float(__nv_bfloat16 value) { return value; }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) { return value.bits; }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return __nv_bfloat16_raw{bits}; }

inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 value) { return {value, value}; }
inline __nv_bfloat162 __floats2bfloat162_rn(float low, float high) { return {low, high}; }
inline __nv_bfloat162 __float22bfloat162_rn(float2 value) { return {value.x, value.y}; }
inline float2 __bfloat1622float2(__nv_bfloat162 value) { return {value.x, value.y}; }
inline float __low2float(__nv_bfloat162 value) { return value.x; }
inline float __high2float(__nv_bfloat162 value) { return value.y; }

COURSE_CPU_BOTH_SPACES_END
