// The limit of a file's __constant__ variables.
#pragma once

#include <filesystem>

namespace course_cpu::nvcc {

// They are sections of the object. Reports where they are too large.
bool constants_fit(const std::filesystem::path &source, const std::filesystem::path &object);

} // namespace course_cpu::nvcc
