// Results of CUDA's functions that the program drops: the tools are told.
//
//   cudaMemcpy(...);   -> (cudaMemcpy(...), ::course_cpu::result_dropped("cudaMemcpy"));
//
// A macro or a function of the program's own, such as cudaCheck(...), is none of them; nor is
// cudaGetLastError(), whose result is an earlier call's.
#pragma once

#include "declared.hpp"
#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"

namespace course_cpu::translator {

void mark_dropped_results(const Lexed &lexed, const Functions &functions, const Declared &declared,
                          Edits &edits);

} // namespace course_cpu::translator
