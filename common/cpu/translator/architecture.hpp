// __CUDA_ARCH__, which nvcc defines where it compiles for the device.
//
// Host and device code are compiled together, once. The macro is 860 in the bodies of __global__
// functions, and of functions and lambdas that are __device__ and not __host__. Elsewhere it is
// undefined, as in nvcc's host pass: in constexpr functions and outside of functions as well. A
// body for both execution spaces is repeated, unless it has goto, a label, asm or #define, or
// branches that do not close their own braces. Headers included with <...> are not translated. A
// __device__ that comes from a macro is recognised where the macro has no parameters and is defined
// in a translated file.
#pragma once

#include "declared.hpp"
#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"

namespace course_cpu::translator {

void define_architecture(const Lexed &lexed, const Functions &functions, Declared &declared,
                         Edits &edits);

} // namespace course_cpu::translator
