// Integer arithmetic on the 2 or 4 numbers packed in a word (__vadd2, __vadd4, ...), and DPX, the
// functions of two or three numbers for dynamic programming. Templates, so that a file which calls
// none does not spend time on them.
#pragma once

#include <limits>
#include <type_traits>

#include "math.h"

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

// The word of f(a, b) for each two numbers of type T at the same place of two words.
template <class T, class F> unsigned for_each_part(unsigned first, unsigned second, const F &f) {
  unsigned result = 0;
  for (unsigned bit = 0; bit < 32; bit += 8 * sizeof(T)) {
    const auto part = f(static_cast<T>(first >> bit), static_cast<T>(second >> bit));
    result |= unsigned{static_cast<std::make_unsigned_t<T>>(part)} << bit;
  }
  return result;
}

template <class T> int saturated(int value) {
  return min(max(value, int{std::numeric_limits<T>::min()}), int{std::numeric_limits<T>::max()});
}

} // namespace course_cpu

// ---- packed numbers ----

#define COURSE_CPU_UNARY(NAME, SIGN, EXPRESSION)                                                   \
  template <class = void> unsigned NAME##2(unsigned x) {                                           \
    return course_cpu::for_each_part<SIGN short>(x, 0, [](auto a, auto) { return EXPRESSION; });   \
  }                                                                                                \
  template <class = void> unsigned NAME##4(unsigned x) {                                           \
    return course_cpu::for_each_part<SIGN char>(x, 0, [](auto a, auto) { return EXPRESSION; });    \
  }
#define COURSE_CPU_BINARY(NAME, SIGN, EXPRESSION)                                                  \
  template <class = void> unsigned NAME##2(unsigned x, unsigned y) {                               \
    return course_cpu::for_each_part<SIGN short>(x, y, [](auto a, auto b) { return EXPRESSION; }); \
  }                                                                                                \
  template <class = void> unsigned NAME##4(unsigned x, unsigned y) {                               \
    return course_cpu::for_each_part<SIGN char>(x, y, [](auto a, auto b) { return EXPRESSION; });  \
  }

COURSE_CPU_UNARY(__vabs, signed, a < 0 ? -a : a)
COURSE_CPU_UNARY(__vabsss, signed, course_cpu::saturated<decltype(a)>(a < 0 ? -a : a))
COURSE_CPU_UNARY(__vneg, signed, -a)
COURSE_CPU_UNARY(__vnegss, signed, course_cpu::saturated<decltype(a)>(-a))

COURSE_CPU_BINARY(__vadd, unsigned, a + b)
COURSE_CPU_BINARY(__vaddss, signed, course_cpu::saturated<decltype(a)>(a + b))
COURSE_CPU_BINARY(__vaddus, unsigned, course_cpu::saturated<decltype(a)>(a + b))
COURSE_CPU_BINARY(__vsub, unsigned, a - b)
COURSE_CPU_BINARY(__vsubss, signed, course_cpu::saturated<decltype(a)>(a - b))
COURSE_CPU_BINARY(__vsubus, unsigned, course_cpu::saturated<decltype(a)>(a - b))
COURSE_CPU_BINARY(__vabsdiffs, signed, a < b ? b - a : a - b)
COURSE_CPU_BINARY(__vabsdiffu, unsigned, a < b ? b - a : a - b)
// a half is rounded away from zero
COURSE_CPU_BINARY(__vavgs, signed, (a + b + (a + b >= 0)) >> 1)
COURSE_CPU_BINARY(__vavgu, unsigned, (a + b + 1) >> 1)
COURSE_CPU_BINARY(__vhaddu, unsigned, (a + b) >> 1)
COURSE_CPU_BINARY(__vmaxs, signed, a < b ? b : a)
COURSE_CPU_BINARY(__vmaxu, unsigned, a < b ? b : a)
COURSE_CPU_BINARY(__vmins, signed, b < a ? b : a)
COURSE_CPU_BINARY(__vminu, unsigned, b < a ? b : a)

// all bits, or 1, where a comparison holds
#define COURSE_CPU_COMPARISON(NAME, SIGN, OPERATOR)                                                \
  COURSE_CPU_BINARY(__vcmp##NAME, SIGN, a OPERATOR b ? -1 : 0)                                     \
  COURSE_CPU_BINARY(__vset##NAME, SIGN, a OPERATOR b ? 1 : 0)
COURSE_CPU_COMPARISON(eq, unsigned, ==)
COURSE_CPU_COMPARISON(ne, unsigned, !=)
COURSE_CPU_COMPARISON(ges, signed, >=)
COURSE_CPU_COMPARISON(geu, unsigned, >=)
COURSE_CPU_COMPARISON(gts, signed, >)
COURSE_CPU_COMPARISON(gtu, unsigned, >)
COURSE_CPU_COMPARISON(les, signed, <=)
COURSE_CPU_COMPARISON(leu, unsigned, <=)
COURSE_CPU_COMPARISON(lts, signed, <)
COURSE_CPU_COMPARISON(ltu, unsigned, <)

#undef COURSE_CPU_COMPARISON
#undef COURSE_CPU_BINARY
#undef COURSE_CPU_UNARY

// The sum of the absolute differences: the differences of bytes are at most 255, of halves 65535.
template <class = void> unsigned __vsads2(unsigned x, unsigned y) {
  const unsigned d = __vabsdiffs2(x, y);
  return (d & 0xFFFF) + (d >> 16);
}
template <class = void> unsigned __vsadu2(unsigned x, unsigned y) {
  const unsigned d = __vabsdiffu2(x, y);
  return (d & 0xFFFF) + (d >> 16);
}
template <class = void> unsigned __vsads4(unsigned x, unsigned y) {
  return __dp4a(__vabsdiffs4(x, y), 0x01010101u, 0u);
}
template <class = void> unsigned __vsadu4(unsigned x, unsigned y) {
  return __dp4a(__vabsdiffu4(x, y), 0x01010101u, 0u);
}

// ---- DPX: sums and the largest or smallest of two or three; _relu: not below 0 ----

#define COURSE_CPU_DPX(WHICH, TYPE, SUFFIX, ADD, BEST)                                             \
  template <class = void> TYPE __viadd##WHICH##SUFFIX(TYPE a, TYPE b, TYPE c) {                    \
    return BEST(ADD(a, b), c);                                                                     \
  }                                                                                                \
  template <class = void> TYPE __vi##WHICH##3##SUFFIX(TYPE a, TYPE b, TYPE c) {                    \
    return BEST(BEST(a, b), c);                                                                    \
  }
#define COURSE_CPU_DPX_RELU(WHICH, TYPE, SUFFIX, BEST, MAX)                                        \
  template <class = void> TYPE __viadd##WHICH##SUFFIX##_relu(TYPE a, TYPE b, TYPE c) {             \
    return MAX(__viadd##WHICH##SUFFIX(a, b, c), TYPE{0});                                          \
  }                                                                                                \
  template <class = void> TYPE __vi##WHICH##3##SUFFIX##_relu(TYPE a, TYPE b, TYPE c) {             \
    return MAX(BEST(BEST(a, b), c), TYPE{0});                                                      \
  }                                                                                                \
  template <class = void> TYPE __vi##WHICH##SUFFIX##_relu(TYPE a, TYPE b) {                        \
    return MAX(BEST(a, b), TYPE{0});                                                               \
  }

namespace course_cpu {
inline int wrapping_sum(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}
inline unsigned wrapping_sum(unsigned a, unsigned b) { return a + b; }
} // namespace course_cpu

COURSE_CPU_DPX(max, int, _s32, course_cpu::wrapping_sum, max)
COURSE_CPU_DPX(min, int, _s32, course_cpu::wrapping_sum, min)
COURSE_CPU_DPX(max, unsigned, _u32, course_cpu::wrapping_sum, max)
COURSE_CPU_DPX(min, unsigned, _u32, course_cpu::wrapping_sum, min)
COURSE_CPU_DPX(max, unsigned, _s16x2, __vadd2, __vmaxs2)
COURSE_CPU_DPX(min, unsigned, _s16x2, __vadd2, __vmins2)
COURSE_CPU_DPX(max, unsigned, _u16x2, __vadd2, __vmaxu2)
COURSE_CPU_DPX(min, unsigned, _u16x2, __vadd2, __vminu2)
COURSE_CPU_DPX_RELU(max, int, _s32, max, max)
COURSE_CPU_DPX_RELU(min, int, _s32, min, max)
COURSE_CPU_DPX_RELU(max, unsigned, _s16x2, __vmaxs2, __vmaxs2)
COURSE_CPU_DPX_RELU(min, unsigned, _s16x2, __vmins2, __vmaxs2)

#undef COURSE_CPU_DPX_RELU
#undef COURSE_CPU_DPX

// Also whether a is the one that is taken, for each of the numbers.
#define COURSE_CPU_DPX_CHOICE(WHICH, OPERATOR, NAMED)                                              \
  template <class = void> int __vib##WHICH##_s32(int a, int b, bool *first) {                      \
    *first = a OPERATOR b;                                                                         \
    return *first ? a : b;                                                                         \
  }                                                                                                \
  template <class = void> unsigned __vib##WHICH##_u32(unsigned a, unsigned b, bool *first) {       \
    *first = a OPERATOR b;                                                                         \
    return *first ? a : b;                                                                         \
  }                                                                                                \
  template <class = void>                                                                          \
  unsigned __vib##WHICH##_s16x2(unsigned a, unsigned b, bool *high, bool *low) {                   \
    const unsigned first = __vset##NAMED##s2(a, b);                                                \
    *high = first >> 16;                                                                           \
    *low = first & 1;                                                                              \
    return __v##WHICH##s2(a, b);                                                                   \
  }                                                                                                \
  template <class = void>                                                                          \
  unsigned __vib##WHICH##_u16x2(unsigned a, unsigned b, bool *high, bool *low) {                   \
    const unsigned first = __vset##NAMED##u2(a, b);                                                \
    *high = first >> 16;                                                                           \
    *low = first & 1;                                                                              \
    return __v##WHICH##u2(a, b);                                                                   \
  }
COURSE_CPU_DPX_CHOICE(max, >=, ge)
COURSE_CPU_DPX_CHOICE(min, <=, le)
#undef COURSE_CPU_DPX_CHOICE

COURSE_CPU_BOTH_SPACES_END
