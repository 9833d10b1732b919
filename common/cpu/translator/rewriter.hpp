// Launches, __shared__ declarations and asm: what is not C++ at all becomes C++ here.
#pragma once

#include "declared.hpp"
#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"

#include <vector>

namespace course_cpu::translator {

void rewrite_syntax(const Lexed &lexed, const Functions &functions, const Kernels &kernels,
                    bool instrumented, Edits &edits, std::vector<Error> &errors);

} // namespace course_cpu::translator
