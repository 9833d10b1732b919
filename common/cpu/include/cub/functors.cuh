// Operators and pairs of the reductions.
#pragma once

#include "../course_cpu/callables.h"

#include <iterator>
#include <limits>

namespace cub {

template <class Key, class Value> struct KeyValuePair {
  Key key;
  Value value;
};

} // namespace cub

namespace course_cpu {

cudaError_t record_error(cudaError_t error); // for cudaGetLastError; returns it

struct Plus {
  template <class A, class B> auto operator()(const A &a, const B &b) const { return a + b; }
};

struct Smaller {
  template <class T> T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};

struct Larger {
  template <class T> T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};

template <class Iterator> using ValueOf = typename std::iterator_traits<Iterator>::value_type;

} // namespace course_cpu
