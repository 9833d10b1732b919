// Shared by the tests of CUDA's behaviour.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <unistd.h>
#include <vector>

template <> struct Catch::StringMaker<cudaError_t> {
  static std::string convert(cudaError_t error) { return cudaGetErrorName(error); }
};

inline int device_count() {
  int count = 0;
  REQUIRE(cudaGetDeviceCount(&count) == cudaSuccess);
  return count;
}

inline void skip_unless_two_devices() {
  if (device_count() < 2)
    SKIP("needs two devices");
}

// The launches so far were accepted and their kernels ended without a fault.
inline void require_finished() {
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
}

// An array of n elements on the device, freed with it.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(std::size_t n, T value = T{}) : DeviceArray(std::vector<T>(n, value)) {}

  explicit DeviceArray(const std::vector<T> &values) : size_(values.size()) {
    REQUIRE(cudaMalloc(&data_, bytes()) == cudaSuccess);
    REQUIRE(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice) == cudaSuccess);
  }

  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T *data() const { return data_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

  // The values when all kernels have ended.
  std::vector<T> host() const {
    require_finished();
    std::vector<T> values(size_);
    REQUIRE(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost) == cudaSuccess);
    return values;
  }

private:
  T *data_ = nullptr;
  std::size_t size_;
};

// Pinned host memory, which asynchronous copies use while the host goes on.
template <class T> struct Pinned {
  T *data = nullptr;
  explicit Pinned(std::size_t n, T value = T{}) {
    REQUIRE(cudaMallocHost(&data, n * sizeof(T)) == cudaSuccess);
    std::fill_n(data, n, value);
  }
  Pinned(const Pinned &) = delete;
  Pinned &operator=(const Pinned &) = delete;
  ~Pinned() { cudaFreeHost(data); }
};

// Destroyed at the end of their scope.
struct Stream {
  cudaStream_t handle = nullptr;
  explicit Stream(unsigned flags = cudaStreamDefault) {
    REQUIRE(cudaStreamCreateWithFlags(&handle, flags) == cudaSuccess);
  }
  ~Stream() { cudaStreamDestroy(handle); }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  operator cudaStream_t() const { return handle; }
};

struct Event {
  cudaEvent_t handle = nullptr;
  Event() { REQUIRE(cudaEventCreate(&handle) == cudaSuccess); }
  ~Event() { cudaEventDestroy(handle); }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;
  operator cudaEvent_t() const { return handle; }
};

// f(0), f(1), f(2), ...
template <class T, class F> std::vector<T> values_of(int n, const F &f) {
  std::vector<T> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = static_cast<T>(f(i));
  return values;
}

// 0, 1, 2, ...
template <class T> std::vector<T> counting(int n) {
  return values_of<T>(n, [](int i) { return i; });
}

// Captures this process's standard error while the object lives.
class StandardError {
public:
  StandardError() : file_(std::tmpfile()), original_(dup(STDERR_FILENO)) {
    std::fflush(stderr);
    dup2(fileno(file_), STDERR_FILENO);
  }
  StandardError(const StandardError &) = delete;
  StandardError &operator=(const StandardError &) = delete;
  ~StandardError() {
    dup2(original_, STDERR_FILENO);
    close(original_);
    std::fclose(file_);
  }

  std::string text() const {
    std::fflush(stderr);
    std::rewind(file_);
    std::string text;
    for (int c; (c = std::getc(file_)) != EOF;)
      text += static_cast<char>(c);
    return text;
  }

private:
  std::FILE *file_;
  int original_;
};
