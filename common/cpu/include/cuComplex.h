// Complex numbers as pairs, and their arithmetic.
#pragma once

#include "course_cpu/types.h"

#include <cmath>

COURSE_CPU_BOTH_SPACES

// SUFFIX: of the functions' names. The quotient is scaled: the square of b may be too large or too
// small.
#define COURSE_CPU_COMPLEX(COMPLEX, PAIR, REAL, SUFFIX)                                            \
  using COMPLEX = PAIR;                                                                            \
  inline COMPLEX make_##COMPLEX(REAL re, REAL im) { return {re, im}; }                             \
  inline REAL cuCreal##SUFFIX(COMPLEX a) { return a.x; }                                           \
  inline REAL cuCimag##SUFFIX(COMPLEX a) { return a.y; }                                           \
  inline REAL cuCabs##SUFFIX(COMPLEX a) { return std::hypot(a.x, a.y); }                           \
  inline COMPLEX cuConj##SUFFIX(COMPLEX a) { return {a.x, -a.y}; }                                 \
  inline COMPLEX cuCadd##SUFFIX(COMPLEX a, COMPLEX b) { return {a.x + b.x, a.y + b.y}; }           \
  inline COMPLEX cuCsub##SUFFIX(COMPLEX a, COMPLEX b) { return {a.x - b.x, a.y - b.y}; }           \
  inline COMPLEX cuCmul##SUFFIX(COMPLEX a, COMPLEX b) {                                            \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                         \
  }                                                                                                \
  inline COMPLEX cuCdiv##SUFFIX(COMPLEX a, COMPLEX b) {                                            \
    const REAL scale = std::fabs(b.x) + std::fabs(b.y);                                            \
    const REAL ax = a.x / scale, ay = a.y / scale, bx = b.x / scale, by = b.y / scale;             \
    const REAL size = bx * bx + by * by;                                                           \
    return {(ax * bx + ay * by) / size, (ay * bx - ax * by) / size};                               \
  }
COURSE_CPU_COMPLEX(cuFloatComplex, float2, float, f)
COURSE_CPU_COMPLEX(cuDoubleComplex, double2, double, )
#undef COURSE_CPU_COMPLEX

using cuComplex = cuFloatComplex;

COURSE_CPU_BOTH_SPACES_END
