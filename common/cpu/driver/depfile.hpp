// The rules for make that a compiler writes: the files that an object was made from.
#pragma once

#include "translate.hpp"

namespace course_cpu::nvcc {

// The rule gets the names of the sources for those of their translations, and our header for its
// precompiled form and the empty source of that.
void name_sources(const std::filesystem::path &rule, Written names);

} // namespace course_cpu::nvcc
