// Says which brace a file lacks, where a function begins inside another one.
#pragma once

#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"

namespace course_cpu::translator {

Error missing_brace(const Lexed &lexed, const NestedFunction &nested);

} // namespace course_cpu::translator
