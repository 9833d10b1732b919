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

struct Less {
  template <class T> bool operator()(const T &a, const T &b) const { return a < b; }
};

struct Greater {
  template <class T> bool operator()(const T &a, const T &b) const { return b < a; }
};

// Of two pairs (index, value) the one that comes first by Compare, of equal ones the lower index.
template <class Compare> struct FirstBy {
  template <class Pair> Pair operator()(const Pair &a, const Pair &b) const {
    const bool a_first = Compare()(a.value, b.value), b_first = Compare()(b.value, a.value);
    return a_first || (!b_first && a.key < b.key) ? a : b;
  }
};

} // namespace course_cpu

namespace cub {

// Of two KeyValuePairs.
using ArgMax = course_cpu::FirstBy<course_cpu::Greater>;
using ArgMin = course_cpu::FirstBy<course_cpu::Less>;

} // namespace cub

COURSE_CPU_BOTH_SPACES_END
