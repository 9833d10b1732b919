// Operators as objects.
#pragma once

#include "../cuda/std/functional"

COURSE_CPU_BOTH_SPACES

namespace thrust {

// Bases of a program's own functors, in CUDA 12 for the last time.
template <class Argument, class Result> struct unary_function {
  using argument_type = Argument;
  using result_type = Result;
};
template <class First, class Second, class Result> struct binary_function {
  using first_argument_type = First;
  using second_argument_type = Second;
  using result_type = Result;
};

#define COURSE_CPU_OPERATOR(NAME, RESULT, EXPRESSION)                                              \
  template <class T = void> struct NAME {                                                          \
    RESULT operator()(const T &a, const T &b) const { return EXPRESSION; }                         \
  };                                                                                               \
  template <> struct NAME<void> {                                                                  \
    template <class A, class B> auto operator()(const A &a, const B &b) const {                    \
      return EXPRESSION;                                                                           \
    }                                                                                              \
  };
COURSE_CPU_OPERATOR(plus, T, a + b)
COURSE_CPU_OPERATOR(minus, T, a - b)
COURSE_CPU_OPERATOR(multiplies, T, a *b)
COURSE_CPU_OPERATOR(divides, T, a / b)
COURSE_CPU_OPERATOR(modulus, T, a % b)
COURSE_CPU_OPERATOR(maximum, T, a < b ? b : a)
COURSE_CPU_OPERATOR(minimum, T, b < a ? b : a)
COURSE_CPU_OPERATOR(equal_to, bool, a == b)
COURSE_CPU_OPERATOR(not_equal_to, bool, a != b)
COURSE_CPU_OPERATOR(greater, bool, b < a)
COURSE_CPU_OPERATOR(less, bool, a < b)
COURSE_CPU_OPERATOR(greater_equal, bool, a >= b)
COURSE_CPU_OPERATOR(less_equal, bool, a <= b)
COURSE_CPU_OPERATOR(logical_and, bool, a &&b)
COURSE_CPU_OPERATOR(logical_or, bool, a || b)
COURSE_CPU_OPERATOR(bit_and, T, a &b)
COURSE_CPU_OPERATOR(bit_or, T, a | b)
COURSE_CPU_OPERATOR(bit_xor, T, a ^ b)
#undef COURSE_CPU_OPERATOR

template <class T = void> struct negate {
  T operator()(const T &a) const { return -a; }
};
template <class T = void> struct square {
  T operator()(const T &a) const { return a * a; }
};
template <class T = void> struct identity {
  const T &operator()(const T &a) const { return a; }
};

} // namespace thrust

COURSE_CPU_BOTH_SPACES_END
