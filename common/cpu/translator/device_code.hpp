// Device code: to which file it belongs, and what it may not hold.
#pragma once

#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"

namespace course_cpu::translator {

// Without -rdc=true a file's device functions and variables are its own, as with nvcc: another file
// may have others of the same name. The words that say so are as long as those that they replace.
void own_device_code(const Lexed &lexed, const Functions &functions, Edits &edits);

// Marks each class whose operator() is host code, for course_cpu/callables.h.
void mark_host_operators(const Lexed &lexed, const Functions &functions, Edits &edits);

// Makes the host compiler refuse arrays of a size that is not constant, T x[n], in device code.
void refuse_variable_arrays(const Lexed &lexed, const Functions &functions, Edits &edits);

} // namespace course_cpu::translator
