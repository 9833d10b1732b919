// What CUDA has and the CPU backend has not, by the names that programs use.
#pragma once

#include <string>

namespace course_cpu::nvcc {

// What a compiler's message about an unknown name or header means, and the way round where there is
// one; empty if the name is of nothing known.
std::string missing_feature(const std::string &message);

} // namespace course_cpu::nvcc
