// cooperative_groups::inclusive_scan and exclusive_scan: of a tile or a coalesced group, each
// thread gets operation(...) over the values of the ranks up to its own, or below it.
#pragma once

#include "reduce.h"

COURSE_CPU_BOTH_SPACES

namespace cooperative_groups {

template <class Group, class T, class Operation>
T inclusive_scan(const Group &group, T value, const Operation &operation,
                 course_cpu::SourceLine line = course_cpu::here()) {
  T result = group.shfl(value, 0, line);
  for (unsigned rank = 1; rank < group.size(); ++rank) {
    const T next = operation(result, group.shfl(value, rank, line));
    if (rank <= group.thread_rank())
      result = next;
  }
  return result;
}
template <class Group, class T>
T inclusive_scan(const Group &group, T value, course_cpu::SourceLine line = course_cpu::here()) {
  return inclusive_scan(group, value, plus<T>(), line);
}

// The thread of rank 0 gets T().
template <class Group, class T, class Operation>
T exclusive_scan(const Group &group, T value, const Operation &operation,
                 course_cpu::SourceLine line = course_cpu::here()) {
  const T upto = inclusive_scan(group, value, operation, line);
  const T before = group.shfl_up(upto, 1, line);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
T exclusive_scan(const Group &group, T value, course_cpu::SourceLine line = course_cpu::here()) {
  return exclusive_scan(group, value, plus<T>(), line);
}

} // namespace cooperative_groups

COURSE_CPU_BOTH_SPACES_END
