// Hints on C++ errors for people who write Python, Numba and CuPy.
#pragma once

#include "diagnostics.hpp"

#include <string>

namespace course_cpu::nvcc {

// For an error that stands at such a construct; empty for others.
std::string hint(const Diagnostic &error);

} // namespace course_cpu::nvcc
