// cooperative_groups::reduce: one value from those of all threads of a tile or a coalesced group.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define COURSE_CPU_OPERATION(NAME, EXPRESSION)                                                     \
  template <class T> struct NAME {                                                                 \
    T operator()(T a, T b) const { return EXPRESSION; }                                            \
  };
COURSE_CPU_OPERATION(plus, a + b)
COURSE_CPU_OPERATION(less, b < a ? b : a)
COURSE_CPU_OPERATION(greater, a < b ? b : a)
COURSE_CPU_OPERATION(bit_and, a &b)
COURSE_CPU_OPERATION(bit_or, a | b)
COURSE_CPU_OPERATION(bit_xor, a ^ b)
#undef COURSE_CPU_OPERATION

// Every thread of the group gets operation(...) over all values, in the order of their ranks.
template <class Group, class T, class Operation>
T reduce(const Group &group, T value, const Operation &operation,
         course_cpu::SourceLine line = course_cpu::here()) {
  T result = group.shfl(value, 0, line);
  for (unsigned rank = 1; rank < group.size(); ++rank)
    result = operation(result, group.shfl(value, rank, line));
  return result;
}

} // namespace cooperative_groups
