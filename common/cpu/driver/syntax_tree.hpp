// What clang's syntax tree says that no diagnostic of clang says: in device code it reads arrays
// and references of host code whose values are constant, and nvcc does not.
#pragma once

#include <string>
#include <vector>

namespace course_cpu::nvcc {

struct Use {
  std::string file;
  int line = 0, column = 0;
  std::string name; // of the variable
};

// Where device code uses such variables. `output`: of clang with -ast-dump.
std::vector<Use> uses_of_host_constants(std::string output);

} // namespace course_cpu::nvcc
