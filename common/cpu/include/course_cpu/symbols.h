// `__device__` and `__constant__` variables: plain global variables, one copy for all devices.
#pragma once

#include "api.h"

namespace course_cpu {

// `given`: to host code, for kernels.
void add_symbol(const void *address, size_t bytes, bool given = false);

// The address of a part of a variable, known to the copies as device memory from now on; nullptr
// if the part ends past the variable's end.
template <class T> char *symbol_part(const T &symbol, size_t offset, size_t bytes) {
  if (offset > sizeof(T) || bytes > sizeof(T) - offset)
    return nullptr;
  const void *address = &symbol;
  add_symbol(address, sizeof(T));
  return static_cast<char *>(const_cast<void *>(address)) + offset;
}

} // namespace course_cpu

template <class T> cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
  const void *address = &symbol;
  course_cpu::add_symbol(address, sizeof(T), true);
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
  return cudaMemcpy(course_cpu::symbol_part(symbol, offset, bytes), from, bytes, kind);
}

template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  return cudaMemcpyAsync(course_cpu::symbol_part(symbol, offset, bytes), from, bytes, kind, stream);
}

template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpy(to, course_cpu::symbol_part(symbol, offset, bytes), bytes, kind);
}

template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  return cudaMemcpyAsync(to, course_cpu::symbol_part(symbol, offset, bytes), bytes, kind, stream);
}
