// Vectors in memory that host and device share: managed, or pinned memory of the host.
#pragma once

#include "host_vector.h"

COURSE_CPU_BOTH_SPACES

namespace course_cpu {

template <class T, bool is_managed> struct SharedAllocator {
  using value_type = T;
  template <class U> struct rebind { using other = SharedAllocator<U, is_managed>; };
  SharedAllocator() = default;
  template <class U> SharedAllocator(SharedAllocator<U, is_managed>) {}

  T *allocate(std::size_t count) {
    T *memory = nullptr;
    thrust_check(is_managed ? cudaMallocManaged(&memory, count * sizeof(T))
                            : cudaMallocHost(&memory, count * sizeof(T)),
                 "thrust::universal_vector");
    return memory;
  }
  void deallocate(T *memory, std::size_t) { is_managed ? cudaFree(memory) : cudaFreeHost(memory); }
  friend bool operator==(SharedAllocator, SharedAllocator) { return true; }
  friend bool operator!=(SharedAllocator, SharedAllocator) { return false; }
};

} // namespace course_cpu

namespace thrust {
template <class T> using universal_allocator = course_cpu::SharedAllocator<T, true>;
template <class T> using universal_host_pinned_allocator = course_cpu::SharedAllocator<T, false>;
template <class T, class Allocator = universal_allocator<T>>
using universal_vector = host_vector<T, Allocator>;
template <class T>
using universal_host_pinned_vector = host_vector<T, universal_host_pinned_allocator<T>>;
} // namespace thrust

COURSE_CPU_BOTH_SPACES_END
