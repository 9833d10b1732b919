// cooperative_groups::reduce: one value from those of all threads of a tile or a coalesced group.
#pragma once

#include "../cooperative_groups.h"

COURSE_CPU_BOTH_SPACES

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

template <class Group> constexpr bool is_large_tile = false;
template <unsigned Size, class Parent>
constexpr bool is_large_tile<thread_block_tile<Size, Parent, true>> = true;

// Every thread of the group gets operation(...) over all values, in the order of their ranks.
template <class Group, class T, class Operation>
T reduce(const Group &group, T value, const Operation &operation,
         course_cpu::SourceLine line = course_cpu::here()) {
  if constexpr (is_large_tile<Group>) {
    return group.with_warps(reduce(thread_block_tile<32>(), value, operation, line),
                            [&](const T *warps, unsigned count) {
                              T result = warps[0];
                              for (unsigned warp = 1; warp < count; ++warp)
                                result = operation(result, warps[warp]);
                              return result;
                            });
  } else {
    T result = group.shfl(value, 0, line);
    for (unsigned rank = 1; rank < group.size(); ++rank)
      result = operation(result, group.shfl(value, rank, line));
    return result;
  }
}

} // namespace cooperative_groups

COURSE_CPU_BOTH_SPACES_END
