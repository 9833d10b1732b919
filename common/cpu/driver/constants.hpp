// The limit of a file's __constant__ variables.
#pragma once

#include <filesystem>

namespace course_cpu::nvcc {

// They are a section of the object; const ones are not counted. Reports where they are too large.
bool constants_fit(const std::filesystem::path &source, const std::filesystem::path &object);

} // namespace course_cpu::nvcc
