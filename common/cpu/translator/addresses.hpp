// Addresses of kernels: `(void *)kernel` says nothing of its parameters, so the runtime is told of
// them where a program takes the address.
#pragma once

#include "declared.hpp"
#include "edits.hpp"
#include "lexer.hpp"

namespace course_cpu::translator {

void pass_kernel_parameters(const Lexed &lexed, const Declared &declared, Edits &edits);

} // namespace course_cpu::translator
