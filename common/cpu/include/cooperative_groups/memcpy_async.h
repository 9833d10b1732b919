// Copies that the threads of a group share. They are done at once.
#pragma once

#include "../cooperative_groups.h"

COURSE_CPU_BOTH_SPACES

namespace cooperative_groups {

template <class Group, class T>
void memcpy_async(const Group &group, T *to, const T *from, std::size_t bytes) {
  for (std::size_t i = group.thread_rank(); i < bytes / sizeof(T); i += group.size())
    to[i] = from[i];
}

// Until all copies of the group are done; or all but its latest ones.
template <class Group>
void wait(const Group &group, course_cpu::SourceLine line = course_cpu::here()) {
  group.sync(line);
}
template <unsigned Latest, class Group>
void wait_prior(const Group &group, course_cpu::SourceLine line = course_cpu::here()) {
  group.sync(line);
}

} // namespace cooperative_groups

COURSE_CPU_BOTH_SPACES_END
