// Carries out nvcc's command line.
#pragma once

#include "options.hpp"

namespace course_cpu::nvcc {

// Returns the exit code. Throws Fatal, TranslationError, Interrupted or std::runtime_error.
int drive(const Command &command);

} // namespace course_cpu::nvcc
