// Operators of reductions and scans.
#pragma once

#include "../../cuda/functional"

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

struct Plus {
  template <class A, class B> auto operator()(const A &a, const B &b) const { return a + b; }
};

struct Smaller {
  template <class T> T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};

struct Larger {
  template <class T> T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};

} // namespace course_cpu

COURSE_CPU_BOTH_SPACES_END
