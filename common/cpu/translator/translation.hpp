// The translation of a file: rewrites what CUDA C++ adds to C++'s grammar, and nothing else.
//
//   k<<<grid, block>>>(x)         -> k(x), compiled and not run, so that messages are about it, and
//                                    a call of ::course_cpu::launcher(...), followed by (x)
//   extern __shared__ T x[];      -> a pointer to the block's dynamic shared memory
//   __shared__ T x[N];            -> the same, with a check of the 48 KiB limit after it
//                                    (instrumented: a reference to memory that the tools know)
//   __device__ int f()            -> __device_s: static, but for -rdc=true
//   __device__ int x;             -> __device_v: the same, and known to the tools (__device_w: that
//                                    alone)
//   asm("PTX") in device code     -> what says that there is none
//   (void *)k                     -> the same, and the runtime is told of k's parameters
//   malloc, free, new, delete     -> in device code, those of course_cpu/heap.h
//   { ... } of a device function  -> the same, with __CUDA_ARCH__ defined in it; where it may hold
//                                    T x[n];, the compiler refuses that
//   { #if __CUDA_ARCH__ ... }     -> of a function for both sides: twice, for kernels and the host
//   int operator()(int) { ... }   -> the same, and its class is marked as one of host code
//
// What stays in its place is not touched, and each line keeps its number, each column mostly, too.
#pragma once

#include "addresses.hpp"
#include "architecture.hpp"
#include "braces.hpp"
#include "declared.hpp"
#include "device_code.hpp"
#include "edits.hpp"
#include "functions.hpp"
#include "heap_uses.hpp"
#include "kernel_rules.hpp"
#include "kernels.hpp"
#include "lexer.hpp"
#include "results.hpp"
#include "rewriter.hpp"
#include "token_range.hpp"
#include "warp_exchange.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace course_cpu::translator {

// The line of git's mark where two changes met; 0 if there is none.
inline int conflict(const Lexed &lexed) {
  const TokenRange tokens(lexed.code);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens.is(i, "<<<") && tokens.is(i + 1, "<<<") && tokens.is(i + 2, "<") &&
        tokens.adjacent(i) && tokens.adjacent(i + 1))
      return tokens[i].line;
  return 0;
}

// Kernels whose names `using namespace` may give other meanings, too, such as std::reduce: C++ has
// to choose by the arguments.
inline void forget_types(Declared &declared) {
  if (!declared.imports_names)
    return;
  const std::string names =
      " adjacent_difference apply clamp copy count equal exclusive_scan fill find for_each "
      "generate "
      "inclusive_scan inner_product iota max merge min partial_sum partition reduce remove replace "
      "reverse rotate search shuffle sort swap transform transform_reduce unique ";
  for (auto &[name, types] : declared.kernels)
    if (names.find(' ' + name + ' ') != names.npos)
      types.clear();
}

inline void rewrite(const Lexed &lexed, bool instrumented, Declared &declared, Edits &edits,
                    std::vector<Error> &errors) {
  if (const int line = conflict(lexed)) {
    errors = {{line, "a conflict of git is not resolved: keep one of its two parts, and delete the "
                     "lines that begin with <<<<<<<, ======= and >>>>>>>"}};
    return;
  }
  find_specifiers(lexed, declared.specifiers);
  const Functions functions(lexed, declared.specifiers);
  if (functions.nested()) {
    errors = {BraceChecker(lexed, *functions.nested()).error()};
    return;
  }
  find_declared(lexed, functions, declared);
  if (functions.balanced()) { // else the compiler says what is missing
    KernelRules(lexed, functions, declared, edits, errors).run();
    mark_host_operators(lexed, functions, edits);
    forget_types(declared);
    HeapUses(lexed, functions, declared, edits).run();
    refuse_variable_arrays(lexed, functions, edits);
  }
  Architecture(lexed, functions, declared, edits).run();
  KernelAddresses(lexed, declared, edits).run();
  own_device_code(lexed, functions, edits);
  WarpExchange(lexed, functions, edits).run();
  if (instrumented && functions.balanced()) // else the program's own names are not known
    DroppedResults(lexed, functions, declared, edits).run();
  Rewriter(lexed, functions, declared.kernels, lexed.code, instrumented, edits, errors).run();
  for (const Tokens &directive : lexed.directives)
    if (directive.front().text == "define")
      Rewriter(lexed, functions, declared.kernels, directive, instrumented, edits, errors).run();
}

} // namespace course_cpu::translator
