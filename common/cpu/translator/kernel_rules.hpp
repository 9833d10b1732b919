// Rules of CUDA C++ that its grammar alone decides, and C++ does not have: what a kernel may look
// like, how it is called, and where built-in variables and shared memory are.
#pragma once

#include "declared.hpp"
#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"

#include <vector>

namespace course_cpu::translator {

void check_kernel_rules(const Lexed &lexed, const Functions &functions, const Declared &declared,
                        Edits &edits, std::vector<Error> &errors);

} // namespace course_cpu::translator
