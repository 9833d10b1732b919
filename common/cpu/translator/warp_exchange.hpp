// Warns of code from before __syncwarp: a statement in which the threads of a warp exchange values
// in volatile shared memory, v[t] += v[t + 16], in a function that has no __syncwarp.
#pragma once

#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"

namespace course_cpu::translator {

void warn_of_warp_exchange(const Lexed &lexed, const Functions &functions, Edits &edits);

} // namespace course_cpu::translator
