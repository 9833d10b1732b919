// Arithmetic that rounds down (_rd), up (_ru) or towards zero (_rz): the nearest result, moved by
// one number where its error has the wrong sign. The error is exact but where it is too small for a
// number. Templates, so that a file which calls none does not spend time on them.
#pragma once

#include "math.h"

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

enum class Towards { below, above, zero };

template <Towards where, class T> T moved(T nearest, T error) {
  const T infinity = std::numeric_limits<T>::infinity();
  if (std::isnan(error) || error == 0)
    return nearest;
  const T goal = where == Towards::below   ? -infinity
                 : where == Towards::above ? infinity
                 : nearest > 0             ? -infinity
                                           : infinity;
  return (error < 0) == (goal < 0) ? std::nextafter(nearest, goal) : nearest;
}

// The rounding error of a sum (Knuth's two-sum).
template <class T> T missing(T a, T b, T sum) {
  const T of_b = opaque(sum - a), of_a = opaque(sum - of_b);
  return opaque(a - of_a) + opaque(b - of_b);
}

template <Towards where, class T> T add(T a, T b) {
  const T sum = opaque(opaque(a) + b);
  return moved<where>(sum, missing(a, b, sum));
}
template <Towards where, class T> T multiply(T a, T b) {
  const T product = opaque(a * b);
  return moved<where>(product, std::fma(a, b, -product));
}
template <Towards where, class T> T divide(T a, T b) {
  const T quotient = a / b, rest = std::fma(-quotient, b, a);
  return moved<where>(quotient, b < 0 ? -rest : rest);
}
template <Towards where, class T> T root(T a) {
  const T nearest = std::sqrt(a);
  return moved<where>(nearest, std::fma(-nearest, nearest, a));
}
// a * b is the exact sum of two numbers; their sum with c is rounded twice at most, both times the
// same way.
template <Towards where, class T> T fused(T a, T b, T c) {
  const T nearest = std::fma(a, b, c);
  const T product = opaque(a * b), low = std::fma(a, b, -product);
  const T sum = opaque(product + c);
  const T error = opaque(opaque(sum - nearest) + missing(product, c, sum)) + low;
  return moved<where>(nearest, error);
}

} // namespace course_cpu

#define COURSE_CPU_ROUNDED(T, F, D, SUFFIX, WHERE)                                                 \
  template <class = void> T __##F##add_##SUFFIX(T a, T b) { return course_cpu::add<WHERE>(a, b); } \
  template <class = void> T __##F##sub_##SUFFIX(T a, T b) {                                        \
    return course_cpu::add<WHERE>(a, -b);                                                          \
  }                                                                                                \
  template <class = void> T __##F##mul_##SUFFIX(T a, T b) {                                        \
    return course_cpu::multiply<WHERE>(a, b);                                                      \
  }                                                                                                \
  template <class = void> T __##F##div_##SUFFIX(T a, T b) {                                        \
    return course_cpu::divide<WHERE>(a, b);                                                        \
  }                                                                                                \
  template <class = void> T __##F##rcp_##SUFFIX(T a) {                                             \
    return course_cpu::divide<WHERE>(T(1), a);                                                     \
  }                                                                                                \
  template <class = void> T __##F##sqrt_##SUFFIX(T a) { return course_cpu::root<WHERE>(a); }       \
  template <class = void> T __fma##D##_##SUFFIX(T a, T b, T c) {                                   \
    return course_cpu::fused<WHERE>(a, b, c);                                                      \
  }
COURSE_CPU_ROUNDED(float, f, f, rd, course_cpu::Towards::below)
COURSE_CPU_ROUNDED(float, f, f, ru, course_cpu::Towards::above)
COURSE_CPU_ROUNDED(float, f, f, rz, course_cpu::Towards::zero)
COURSE_CPU_ROUNDED(double, d, , rd, course_cpu::Towards::below)
COURSE_CPU_ROUNDED(double, d, , ru, course_cpu::Towards::above)
COURSE_CPU_ROUNDED(double, d, , rz, course_cpu::Towards::zero)
#undef COURSE_CPU_ROUNDED

// Whole numbers that a float or a double may not hold.
#define COURSE_CPU_FROM_INTEGER(FROM, NAME, TO, SUFFIX, WHERE)                                     \
  template <class = void> TO __##NAME##_##SUFFIX(FROM x) {                                         \
    const TO nearest = static_cast<TO>(x);                                                         \
    const auto away = static_cast<course_cpu_int128>(x) - static_cast<course_cpu_int128>(nearest); \
    return course_cpu::moved<WHERE>(nearest, static_cast<TO>((away > 0) - (away < 0)));            \
  }
#define COURSE_CPU_FROM_INTEGERS(SUFFIX, WHERE)                                                    \
  COURSE_CPU_FROM_INTEGER(int, int2float, float, SUFFIX, WHERE)                                    \
  COURSE_CPU_FROM_INTEGER(unsigned, uint2float, float, SUFFIX, WHERE)                              \
  COURSE_CPU_FROM_INTEGER(long long, ll2float, float, SUFFIX, WHERE)                               \
  COURSE_CPU_FROM_INTEGER(unsigned long long, ull2float, float, SUFFIX, WHERE)                     \
  COURSE_CPU_FROM_INTEGER(long long, ll2double, double, SUFFIX, WHERE)                             \
  COURSE_CPU_FROM_INTEGER(unsigned long long, ull2double, double, SUFFIX, WHERE)                   \
  template <class = void> float __double2float_##SUFFIX(double x) {                                \
    const float nearest = static_cast<float>(x);                                                   \
    return course_cpu::moved<WHERE>(nearest, static_cast<float>((x > nearest) - (x < nearest)));   \
  }
COURSE_CPU_FROM_INTEGERS(rd, course_cpu::Towards::below)
COURSE_CPU_FROM_INTEGERS(ru, course_cpu::Towards::above)
COURSE_CPU_FROM_INTEGERS(rz, course_cpu::Towards::zero)
#undef COURSE_CPU_FROM_INTEGERS
#undef COURSE_CPU_FROM_INTEGER

COURSE_CPU_BOTH_SPACES_END
