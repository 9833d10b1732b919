// A vector in device memory; it is freed with the vector.
#pragma once

#include "algorithm.h"
#include "device_allocator.h"
#include "host_vector.h"

#include <initializer_list>
#include <utility>

COURSE_CPU_BOTH_SPACES

namespace thrust {

// All of them allocate with cudaMalloc.
template <class T, class Allocator = device_allocator<T>> class device_vector {
  static_assert(std::is_trivially_copy_constructible<T>::value &&
                    std::is_trivially_destructible<T>::value,
                "the CPU backend's device_vector holds types that can be copied byte by byte");

public:
  using value_type = T;
  using allocator_type = Allocator;
  using size_type = std::size_t;
  using reference = device_reference<T>;
  using pointer = device_ptr<T>;
  using iterator = device_ptr<T>;
  using const_iterator = device_ptr<const T>;

  device_vector() = default;
  explicit device_vector(size_type count, const T &value = T()) { resize(count, value); }
  device_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
  device_vector(Iterator begin, Iterator end) {
    assign(begin, end);
  }
  template <class Other> device_vector(const std::vector<T, Other> &values) {
    assign(values.begin(), values.end());
  }
  device_vector(const device_vector &other) { assign(other.begin(), other.end()); }
  device_vector(device_vector &&other) noexcept { swap(other); }
  ~device_vector() { cudaFree(data_); }

  device_vector &operator=(const device_vector &other) {
    if (this != &other)
      assign(other.begin(), other.end());
    return *this;
  }
  device_vector &operator=(device_vector &&other) noexcept {
    swap(other);
    return *this;
  }
  template <class Other> device_vector &operator=(const std::vector<T, Other> &values) {
    assign(values.begin(), values.end());
    return *this;
  }

  template <class Iterator> void assign(Iterator begin, Iterator end) {
    const auto count = static_cast<size_type>(std::distance(begin, end));
    reserve(count);
    size_ = count;
    thrust::copy(begin, end, this->begin());
  }

  void reserve(size_type count) {
    if (count <= capacity_)
      return;
    T *larger = nullptr;
    course_cpu::thrust_check(cudaMalloc(&larger, count * sizeof(T)), "thrust::device_vector");
    if (size_ > 0)
      course_cpu::thrust_check(
          cudaMemcpy(larger, data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice),
          "thrust::device_vector");
    cudaFree(data_);
    data_ = larger;
    capacity_ = count;
  }
  void resize(size_type count, const T &value = T()) {
    reserve(count);
    const size_type before = size_;
    size_ = count;
    if (count > before)
      thrust::fill(begin() + before, end(), value);
  }
  void push_back(const T &value) {
    reserve(size_ < capacity_ ? capacity_ : 2 * size_ + 1);
    ++size_;
    back() = value;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void shrink_to_fit() {}
  void swap(device_vector &other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  void copy_to(T *host) const { thrust::copy(begin(), end(), host); }

  iterator begin() { return iterator(data_); }
  iterator end() { return iterator(data_ + size_); }
  const_iterator begin() const { return const_iterator(data_); }
  const_iterator end() const { return const_iterator(data_ + size_); }
  auto rbegin() { return thrust::make_reverse_iterator(end()); }
  auto rend() { return thrust::make_reverse_iterator(begin()); }
  auto rbegin() const { return thrust::make_reverse_iterator(end()); }
  auto rend() const { return thrust::make_reverse_iterator(begin()); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  pointer data() { return pointer(data_); }
  device_ptr<const T> data() const { return begin(); }
  size_type size() const { return size_; }
  size_type capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  reference operator[](size_type i) { return begin()[i]; }
  device_reference<const T> operator[](size_type i) const { return begin()[i]; }
  reference front() { return begin()[0]; }
  reference back() { return begin()[size_ - 1]; }
  device_reference<const T> front() const { return begin()[0]; }
  device_reference<const T> back() const { return begin()[size_ - 1]; }

private:
  T *data_ = nullptr;
  size_type size_ = 0, capacity_ = 0;
};

template <class T, class Allocator>
bool operator==(const device_vector<T, Allocator> &a, const device_vector<T, Allocator> &b) {
  return host_vector<T>(a) == host_vector<T>(b);
}
template <class T, class Allocator>
bool operator!=(const device_vector<T, Allocator> &a, const device_vector<T, Allocator> &b) {
  return !(a == b);
}

} // namespace thrust

COURSE_CPU_BOTH_SPACES_END
