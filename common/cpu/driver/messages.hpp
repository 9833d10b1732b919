// The host compiler's messages as a learner can use them: a call with wrong arguments is one line
// in the words of CUDA, and no message names the backend's insides.
#pragma once

#include <filesystem>
#include <string>

namespace course_cpu::nvcc {

// The part of the compiler's output to show. `include_folder` holds the toolkit's headers.
std::string readable(const std::string &output, const std::filesystem::path &include_folder);

} // namespace course_cpu::nvcc
