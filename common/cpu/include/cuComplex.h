// Complex numbers as pairs, and their arithmetic.
#pragma once

#include "course_cpu/types.h"

#include <cmath>

COURSE_CPU_BOTH_SPACES

using cuFloatComplex = float2;
inline cuFloatComplex make_cuFloatComplex(float re, float im) { return {re, im}; }
inline float cuCrealf(cuFloatComplex a) { return a.x; }
inline float cuCimagf(cuFloatComplex a) { return a.y; }
inline float cuCabsf(cuFloatComplex a) { return std::hypot(a.x, a.y); }
inline cuFloatComplex cuConjf(cuFloatComplex a) { return {a.x, -a.y}; }
inline cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) { return {a.x + b.x, a.y + b.y}; }
inline cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) { return {a.x - b.x, a.y - b.y}; }
inline cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
inline cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return cuCaddf(cuCmulf(a, b), c);
}
// Scaled: the square of b may be too large or too small.
inline cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  const float scale = std::fabs(b.x) + std::fabs(b.y);
  const float ax = a.x / scale, ay = a.y / scale, bx = b.x / scale, by = b.y / scale;
  const float size = bx * bx + by * by;
  return {(ax * bx + ay * by) / size, (ay * bx - ax * by) / size};
}

using cuDoubleComplex = double2;
inline cuDoubleComplex make_cuDoubleComplex(double re, double im) { return {re, im}; }
inline double cuCreal(cuDoubleComplex a) { return a.x; }
inline double cuCimag(cuDoubleComplex a) { return a.y; }
inline double cuCabs(cuDoubleComplex a) { return std::hypot(a.x, a.y); }
inline cuDoubleComplex cuConj(cuDoubleComplex a) { return {a.x, -a.y}; }
inline cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return {a.x + b.x, a.y + b.y};
}
inline cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return {a.x - b.x, a.y - b.y};
}
inline cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
inline cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return cuCadd(cuCmul(a, b), c);
}
// Scaled: the square of b may be too large or too small.
inline cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  const double scale = std::fabs(b.x) + std::fabs(b.y);
  const double ax = a.x / scale, ay = a.y / scale, bx = b.x / scale, by = b.y / scale;
  const double size = bx * bx + by * by;
  return {(ax * bx + ay * by) / size, (ay * bx - ax * by) / size};
}

using cuComplex = cuFloatComplex;
inline cuComplex make_cuComplex(float re, float im) { return {re, im}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}

COURSE_CPU_BOTH_SPACES_END
