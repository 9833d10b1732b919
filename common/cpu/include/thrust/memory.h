// Pointers and references to device memory that host code may hold: each access is a copy.
#pragma once

#include "../cuda_runtime.h"

#include <cstddef>
#include <iostream> // as in Thrust
#include <iterator>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

COURSE_CPU_BOTH_SPACES

namespace thrust {

// Thrown where CUDA reports an error.
class system_error : public std::runtime_error {
public:
  explicit system_error(cudaError_t error, const char *what)
      : std::runtime_error(std::string(what) + ": " + cudaGetErrorName(error) + ": " +
                           cudaGetErrorString(error)),
        error_(error) {}
  cudaError_t code() const { return error_; }

private:
  cudaError_t error_;
};

} // namespace thrust

namespace course_cpu {

inline void thrust_check(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    throw thrust::system_error(error, what);
}

template <class T> T device_value(const T *pointer) {
  if (in_kernel())
    return *pointer;
  T value;
  thrust_check(cudaMemcpy(&value, pointer, sizeof value, cudaMemcpyDeviceToHost), "thrust: a read");
  return value;
}

template <class T> void set_device_value(T *pointer, const T &value) {
  if (in_kernel())
    *pointer = value;
  else
    thrust_check(cudaMemcpy(pointer, &value, sizeof value, cudaMemcpyHostToDevice),
                 "thrust: a write");
}

} // namespace course_cpu

namespace thrust {

using std::swap; // for those who call it without a name space

template <class T> class device_ptr;

template <class T> class device_reference {
public:
  using value_type = std::remove_cv_t<T>;
  explicit device_reference(T *pointer) : pointer_(pointer) {}

  operator value_type() const { return course_cpu::device_value(pointer_); }
  const device_reference &operator=(const value_type &value) const {
    course_cpu::set_device_value(pointer_, value);
    return *this;
  }
  const device_reference &operator=(const device_reference &other) const {
    return *this = static_cast<value_type>(other);
  }
  const device_reference &operator+=(const value_type &value) const {
    return *this = static_cast<value_type>(*this) + value;
  }
  const device_reference &operator-=(const value_type &value) const {
    return *this = static_cast<value_type>(*this) - value;
  }
  const device_reference &operator*=(const value_type &value) const {
    return *this = static_cast<value_type>(*this) * value;
  }
  device_ptr<T> operator&() const { return device_ptr<T>(pointer_); }
  T *pointer() const { return pointer_; }

private:
  T *pointer_;
};

template <class Character, class Traits, class T>
std::basic_ostream<Character, Traits> &operator<<(std::basic_ostream<Character, Traits> &stream,
                                                  const device_reference<T> &reference) {
  return stream << static_cast<typename device_reference<T>::value_type>(reference);
}

// Device memory with its type; what host code reads and writes through it is copied.
template <class T> class device_ptr {
public:
  using value_type = std::remove_cv_t<T>;
  using reference = device_reference<T>;
  using pointer = device_ptr;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;

  device_ptr() = default;
  explicit device_ptr(T *pointer) : pointer_(pointer) {}
  template <class U, class = std::enable_if_t<std::is_convertible<U *, T *>::value>>
  device_ptr(const device_ptr<U> &other) : pointer_(other.get()) {}

  T *get() const { return pointer_; }
  reference operator*() const { return reference(pointer_); }
  reference operator[](difference_type i) const { return reference(pointer_ + i); }
  device_ptr &operator++() { return ++pointer_, *this; }
  device_ptr &operator--() { return --pointer_, *this; }
  device_ptr operator++(int) { return device_ptr(pointer_++); }
  device_ptr operator--(int) { return device_ptr(pointer_--); }
  device_ptr &operator+=(difference_type n) { return pointer_ += n, *this; }
  device_ptr &operator-=(difference_type n) { return pointer_ -= n, *this; }
  friend device_ptr operator+(device_ptr p, difference_type n) { return p += n; }
  friend device_ptr operator+(difference_type n, device_ptr p) { return p += n; }
  friend device_ptr operator-(device_ptr p, difference_type n) { return p -= n; }
  friend difference_type operator-(device_ptr a, device_ptr b) { return a.pointer_ - b.pointer_; }
  friend bool operator==(device_ptr a, device_ptr b) { return a.pointer_ == b.pointer_; }
  friend bool operator!=(device_ptr a, device_ptr b) { return a.pointer_ != b.pointer_; }
  friend bool operator<(device_ptr a, device_ptr b) { return a.pointer_ < b.pointer_; }

private:
  T *pointer_ = nullptr;
};

// Device memory of no type, as device_malloc(bytes) gives it.
template <> class device_ptr<void> {
public:
  device_ptr() = default;
  explicit device_ptr(void *pointer) : pointer_(pointer) {}
  template <class T> device_ptr(const device_ptr<T> &other) : pointer_(other.get()) {}
  void *get() const { return pointer_; }

private:
  void *pointer_ = nullptr;
};

template <class T> device_ptr<T> device_pointer_cast(T *pointer) { return device_ptr<T>(pointer); }
template <class T> device_ptr<T> device_pointer_cast(device_ptr<T> pointer) { return pointer; }
template <class T> T *raw_pointer_cast(device_ptr<T> pointer) { return pointer.get(); }
template <class T> T *raw_pointer_cast(T *pointer) { return pointer; }

template <class T> device_ptr<T> device_malloc(std::size_t count) {
  T *pointer = nullptr;
  course_cpu::thrust_check(cudaMalloc(&pointer, count * sizeof(T)), "thrust::device_malloc");
  return device_ptr<T>(pointer);
}
inline device_ptr<void> device_malloc(std::size_t bytes) {
  return device_ptr<void>(device_malloc<char>(bytes));
}
inline void device_free(device_ptr<void> pointer) { cudaFree(pointer.get()); }

} // namespace thrust

COURSE_CPU_BOTH_SPACES_END
