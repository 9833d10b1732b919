// The passes over a file, in the order in which translation.cpp makes them.
#pragma once

#include "declared.hpp"
#include "edits.hpp"
#include "functions.hpp"
#include "lexer.hpp"
#include "token_range.hpp"

#include <vector>

namespace course_cpu::translator {

// The input and the output of a pass; each one derives from it.
class Pass {
public:
  Pass(const Lexed &lexed, const Functions &functions, Declared &declared, bool instrumented,
       Edits &edits, std::vector<Error> &errors)
      : lexed_(lexed), tokens_(lexed.code), functions_(functions), declared_(declared),
        instrumented_(instrumented), edits_(edits), errors_(errors) {}

protected:
  // The same over other tokens: the body of a macro.
  Pass(const Pass &file, const Tokens &tokens)
      : lexed_(file.lexed_), tokens_(tokens), functions_(file.functions_),
        declared_(file.declared_), instrumented_(file.instrumented_), edits_(file.edits_),
        errors_(file.errors_) {}

  const Lexed &lexed_;
  const TokenRange tokens_;
  const Functions &functions_;
  Declared &declared_;
  const bool instrumented_;
  Edits &edits_;
  std::vector<Error> &errors_;
};

// Rules of CUDA C++ that its grammar alone decides, and C++ does not have: what a kernel may look
// like, how it is called, and where built-in variables and shared memory are.
void check_kernel_rules(const Pass &pass);

// Marks each class whose operator() is host code, for course_cpu/callables.h.
void mark_host_operators(const Pass &pass);

// malloc, free, new and delete in device code become those of course_cpu/heap.h.
void redirect_heap_uses(const Pass &pass);

// Makes the host compiler refuse arrays of a size that is not constant, T x[n], in device code.
void refuse_variable_arrays(const Pass &pass);

// __CUDA_ARCH__, which nvcc defines where it compiles for the device.
void define_architecture(const Pass &pass);

// `(void *)kernel` says nothing of the kernel's parameters, so the runtime is told of them where a
// program takes the address.
void pass_kernel_parameters(const Pass &pass);

// __launch_bounds__: what it says, for the runtime.
void tell_launch_bounds(const Pass &pass);

// Without -rdc=true a file's device functions and variables are its own, as with nvcc: another file
// may have others of the same name. The words that say so are as long as those that they replace.
void own_device_code(const Pass &pass);

// Results of CUDA's functions that the program drops: the tools are told.
//
//   cudaMemcpy(...);   -> (cudaMemcpy(...), ::course_cpu::result_dropped("cudaMemcpy"));
//
// A macro or a function of the program's own, such as cudaCheck(...), is none of them; nor is
// cudaGetLastError(), whose result is an earlier call's.
void mark_dropped_results(const Pass &pass);

// Launches, __shared__ declarations and asm: what is not C++ at all becomes C++ here.
void rewrite_syntax(const Pass &pass);

} // namespace course_cpu::translator
