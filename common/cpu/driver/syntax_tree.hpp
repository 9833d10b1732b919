// Finds errors that clang does not report in its syntax tree: device code that reads arrays and
// references of host code whose values are constant. nvcc refuses that.
#pragma once

#include <string>
#include <vector>

namespace course_cpu::nvcc {

struct Use {
  std::string file;
  int line = 0, column = 0;
  std::string name; // of the variable
};

// The uses of such variables in device code. `output`: of clang with -ast-dump.
std::vector<Use> uses_of_host_constants(std::string output);

} // namespace course_cpu::nvcc
