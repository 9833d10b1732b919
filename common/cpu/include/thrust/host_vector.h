// A vector in host memory.
#pragma once

#include "memory.h"

#include <vector>

COURSE_CPU_BOTH_SPACES

namespace thrust {

template <class T, class Allocator = std::allocator<T>>
class host_vector : public std::vector<T, Allocator> {
public:
  using std::vector<T, Allocator>::vector;
  host_vector() = default;
  host_vector(const std::vector<T> &values) : std::vector<T, Allocator>(values) {}

  // Of a device_vector.
  template <class Vector, class = decltype(std::declval<const Vector &>().copy_to(nullptr))>
  host_vector(const Vector &other) {
    *this = other;
  }
  template <class Vector, class = decltype(std::declval<const Vector &>().copy_to(nullptr))>
  host_vector &operator=(const Vector &other) {
    this->resize(other.size());
    other.copy_to(this->data());
    return *this;
  }
};

} // namespace thrust

COURSE_CPU_BOTH_SPACES_END
