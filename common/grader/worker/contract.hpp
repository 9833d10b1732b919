// The function of a contract, as the worker calls it: with a table of its parameters, so that the
// worker itself is compiled once. harness.cpp, which is compiled for each exercise, makes the
// table.
#pragma once

#include <cstddef>

namespace course {

struct Contract {
  struct Parameter {
    std::size_t bytes; // of the number, or of an element of the array that is pointed at
    bool pointer;
  };
  const Parameter *parameters;
  std::size_t count;        // of parameters
  std::size_t result_bytes; // 0: it returns nothing
  // For each parameter the address of the number or of the array; room for the result. nullptr: the
  // exercise is about a whole program.
  void (*call)(void *const *parameters, void *result);
};

extern const Contract contract;

} // namespace course
