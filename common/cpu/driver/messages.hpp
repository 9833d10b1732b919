// The host compiler's messages as a learner can use them: at the learner's lines, with hints, and
// without the names of the backend's insides.
#pragma once

#include <filesystem>
#include <string>

namespace course_cpu::nvcc {

// The part of the compiler's output to show. `include_folder` holds the toolkit's headers.
std::string readable(const std::string &output, const std::filesystem::path &include_folder);

} // namespace course_cpu::nvcc
