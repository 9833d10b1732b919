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
//   __launch_bounds__(N)          -> nothing, and the kernel's body names a constant that tells N
//   asm("PTX") in device code     -> what says that there is none
//   (void *)k                     -> the same, and the runtime is told of k's parameters
//   malloc, free, new, delete     -> in device code, those of course_cpu/heap.h
//   { ... } of a device function  -> the same, with __CUDA_ARCH__ defined in it; where it may hold
//                                    T x[n];, the compiler refuses that
//   { #if __CUDA_ARCH__ ... }     -> of a function for both sides: twice, for kernels and the host
//   int operator()(int) { ... }   -> the same, and its class is marked as one of host code
//
// All other text stays as it is; each line keeps its number, and mostly each column.
#pragma once

#include "declared.hpp"
#include "edits.hpp"
#include "lexer.hpp"

#include <vector>

namespace course_cpu::translator {

void rewrite(const Lexed &lexed, bool instrumented, Declared &declared, Edits &edits,
             std::vector<Error> &errors);

} // namespace course_cpu::translator
