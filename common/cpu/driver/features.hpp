// CUDA features that the CPU backend lacks, by the names that programs use.
#pragma once

#include <string>

namespace course_cpu::nvcc {

// The meaning of a compiler's message about an unknown name or header, and a way round if there is
// one; empty if the name is not a known feature.
std::string missing_feature(const std::string &message);

} // namespace course_cpu::nvcc
