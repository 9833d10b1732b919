// Hints on C++ errors for people who write Python, Numba and CuPy.
#pragma once

#include "diagnostics.hpp"

#include <string>

namespace course_cpu::nvcc {

// For an error that stands at such a construct; empty for others.
std::string hint(const Diagnostic &error);

// Of an error "'x' was not declared": the line in which the same function declares x before, in a
// block that has ended or in a line with another error; 0: none.
int line_of_declaration(const Diagnostic &error);

} // namespace course_cpu::nvcc
