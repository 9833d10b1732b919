// Shared by the classes for all threads of a block.
#pragma once

#include "../../cuda_runtime.h"

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

// The place of a thread in a block of X x Y x ... threads.
template <int X, int Y> int rank_in_block() {
  return threadIdx.x + X * (threadIdx.y + Y * threadIdx.z);
}

// Values in shared memory, for which no constructor runs.
template <class T, int count> struct SharedValues {
  alignas(T) unsigned char bytes[count * sizeof(T)];
  T &operator[](int i) { return reinterpret_cast<T *>(bytes)[i]; }
};

} // namespace course_cpu

COURSE_CPU_BOTH_SPACES_END
