// The allocator of device_vector, which is a name only: its memory is from cudaMalloc.
#pragma once

#include "memory.h"

namespace thrust {

template <class T> struct device_allocator {
  using value_type = T;
  using pointer = device_ptr<T>;
};

} // namespace thrust
