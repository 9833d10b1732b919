// `__device__` and `__constant__` variables: plain global variables, one copy for all devices.
#pragma once

#include "api.h"

namespace course_cpu {

void add_symbol(const void *address, size_t bytes); // known to the copies as device memory
void drop_symbol(const void *address);              // after as many calls as of add_symbol
void give_symbol(const void *address);              // to host code, for kernels

// A part of a variable, known to the copies for as long as this lives: they refuse host code's own
// address of the variable. `start`: nullptr if the part ends past the variable's end.
class SymbolPart {
public:
  template <class T> SymbolPart(const T &symbol, size_t offset, size_t bytes) {
    if (offset > sizeof(T) || bytes > sizeof(T) - offset)
      return;
    variable_ = &symbol;
    add_symbol(variable_, sizeof(T));
    start = static_cast<char *>(const_cast<void *>(variable_)) + offset;
  }
  SymbolPart(const SymbolPart &) = delete;
  SymbolPart &operator=(const SymbolPart &) = delete;
  ~SymbolPart() {
    if (variable_)
      drop_symbol(variable_);
  }

  char *start = nullptr;

private:
  const void *variable_ = nullptr;
};

} // namespace course_cpu

template <class T> cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
  const void *address = &symbol;
  course_cpu::add_symbol(address, sizeof(T));
  course_cpu::give_symbol(address);
  *pointer = const_cast<void *>(address);
  return cudaSuccess;
}

template <class T, class S> cudaError_t cudaGetSymbolAddress(T **pointer, const S &symbol) {
  return cudaGetSymbolAddress(course_cpu::untyped(pointer), symbol);
}

template <class T> cudaError_t cudaGetSymbolSize(size_t *bytes, const T &) {
  *bytes = sizeof(T);
  return cudaSuccess;
}

template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpy(course_cpu::SymbolPart(symbol, offset, bytes).start, from, bytes, kind);
}

template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  return cudaMemcpyAsync(course_cpu::SymbolPart(symbol, offset, bytes).start, from, bytes, kind,
                         stream);
}

template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpy(to, course_cpu::SymbolPart(symbol, offset, bytes).start, bytes, kind);
}

template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  return cudaMemcpyAsync(to, course_cpu::SymbolPart(symbol, offset, bytes).start, bytes, kind,
                         stream);
}
