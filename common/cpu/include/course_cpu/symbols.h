// `__device__` and `__constant__` variables: plain global variables, one copy for all devices.
#pragma once

#include "api.h"

namespace course_cpu {

void add_symbol(const void *address, size_t bytes); // known to the copies as device memory
void drop_symbol(const void *address);              // after as many calls as of add_symbol
void give_symbol(const void *address);              // to host code, for kernels
bool is_symbol(const void *address);                // not a local variable of the host, say
cudaError_t no_symbol();                            // the error of what is none

// A part of a variable, known to the copies for as long as this lives: they refuse host code's own
// address of the variable. `start`: nullptr if the part ends past the variable's end.
class SymbolPart {
public:
  template <class T>
  SymbolPart(const T &symbol, size_t offset, size_t bytes) : is_none(!is_symbol(&symbol)) {
    if (is_none || offset > sizeof(T) || bytes > sizeof(T) - offset)
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

  const bool is_none; // no variable of the program
  char *start = nullptr;

private:
  const void *variable_ = nullptr;
};

} // namespace course_cpu

template <class T> cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
  const void *address = &symbol;
  if (!course_cpu::is_symbol(address))
    return course_cpu::no_symbol();
  course_cpu::add_symbol(address, sizeof(T));
  course_cpu::give_symbol(address);
  *pointer = const_cast<void *>(address);
  return cudaSuccess;
}

template <class T, class S> cudaError_t cudaGetSymbolAddress(T **pointer, const S &symbol) {
  return cudaGetSymbolAddress(course_cpu::untyped(pointer), symbol);
}

template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  const course_cpu::SymbolPart part(symbol, offset, bytes);
  return part.is_none ? course_cpu::no_symbol() : cudaMemcpy(part.start, from, bytes, kind);
}

template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  const course_cpu::SymbolPart part(symbol, offset, bytes);
  return part.is_none ? course_cpu::no_symbol()
                      : cudaMemcpyAsync(part.start, from, bytes, kind, stream);
}

template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  const course_cpu::SymbolPart part(symbol, offset, bytes);
  return part.is_none ? course_cpu::no_symbol() : cudaMemcpy(to, part.start, bytes, kind);
}
