// malloc, free, new and delete in device code become those of course_cpu/heap.h.
#pragma once

#include "declared.hpp"
#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"

namespace course_cpu::translator {

void redirect_heap_uses(const Lexed &lexed, const Functions &functions, const Declared &declared,
                        Edits &edits);

} // namespace course_cpu::translator
