// Names that a file and the headers translated before it declare: kernels, functions, macros.
#pragma once

#include "functions.hpp"
#include "lexer.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace course_cpu::translator {

// The parameters' types of each kernel that is declared so far, in the headers of a file too; empty
// where one name has several, is a host function's too, is a template's, or has defaults: there C++
// has to choose by the arguments.
using Kernels = std::map<std::string, std::string, std::less<>>;

struct Declared {
  Kernels kernels;
  Specifiers specifiers;
  std::set<std::string, std::less<>> functions, macros;          // no kernels; those with a name
  std::set<std::string, std::less<>> architecture_macros;        // those that name __CUDA_ARCH__
  std::set<std::string, std::less<>> friends;                    // of classes: `operator+`
  std::set<std::string, std::less<>> dynamic_shared;             // arrays outside of functions
  std::map<std::string, std::string, std::less<>> launch_bounds; // of macros that hold them
  bool imports_names = false;                                    // by `using namespace`

  bool has(std::string_view name) const { return functions.count(name) || macros.count(name); }
};

void find_declared(const Lexed &lexed, const Functions &functions, Declared &declared);

} // namespace course_cpu::translator
