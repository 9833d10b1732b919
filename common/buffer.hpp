// An owner of device memory: the constructor allocates the memory, the destructor frees it.
#pragma once

#include "common/check.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace course {

// An array of `size` elements of type T in device memory, not initialised. Kernels take data().
template <class T> class Buffer {
public:
  explicit Buffer(std::size_t size) : size_(size) { CUDA_CHECK(cudaMalloc(&data_, bytes())); }

  explicit Buffer(const std::vector<T> &host) : Buffer(host.size()) {
    CUDA_CHECK(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice));
  }

  // A buffer whose memory was moved calls nothing: cudaFree is an error while a graph is captured.
  ~Buffer() {
    if (data_)
      cudaFree(data_); // an error of earlier work is reported by the next checked call
  }

  // Two owners would free the memory twice. So a buffer can be moved, but not copied.
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  Buffer(Buffer &&other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer &operator=(Buffer &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  T *data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

  // Copies all elements to the host, after all earlier work in the default stream.
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    CUDA_CHECK(cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return host;
  }

private:
  T *data_ = nullptr;
  std::size_t size_;
};

} // namespace course
