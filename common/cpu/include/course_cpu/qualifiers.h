// CUDA's declaration specifiers as macros. `extern __shared__` and kernel launches are rewritten by
// nvcc's translator before the compiler sees them; all else that CUDA adds to C++ is here.
#pragma once

#define __CUDA_RUNTIME_H__ // others look whether NVIDIA's header is there

// Between the two are functions for both execution spaces. Only clang's CUDA mode asks for them.
#ifdef __CUDA__
#define COURSE_CPU_BOTH_SPACES _Pragma("clang force_cuda_host_device begin")
#define COURSE_CPU_BOTH_SPACES_END _Pragma("clang force_cuda_host_device end")
#include "editor.h"
#else
#define COURSE_CPU_BOTH_SPACES
#define COURSE_CPU_BOTH_SPACES_END

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __launch_bounds__(...)

// The translator's replacements in a file whose functions and variables are its own.
#ifdef __CUDACC_RDC__
#define __device_s
#define __constant_s
#define __managed_s
#else
#define __device_s static __attribute__((unused))
#define __constant_s __device_s
#define __managed_s __device_s
#endif

// Variables that kernels share with other kernels, which the tools have to know, and those that
// they share with host code. Of constants nvcc has to know the size. A section cannot hold both
// const tables of functions and other const variables.
#define __managed_w __attribute__((section("course_cpu_managed")))
#define __constant_w __attribute__((section("course_cpu_constant")))
#define COURSE_CPU_SECTION(number) COURSE_CPU_SECTION_OF(number)
#define COURSE_CPU_SECTION_OF(number) __attribute__((section("course_cpu_const" #number)))
#define __constant_x COURSE_CPU_SECTION(__COUNTER__)
#ifdef COURSE_CPU_INSTRUMENTED
#define __device_w __attribute__((section("course_cpu_device")))
#else
#define __device_w
#endif
#define __device_v __device_s __device_w
#define __constant_v __constant_s __constant_w
#define __constant_y __constant_s __constant_x
#define __managed_v __managed_s __managed_w

// A block never leaves the OS thread that runs it, so one copy a thread is one
// copy a block.
#define __shared__ static __thread

#endif

#define __cluster_dims__(...)                                                                      \
  _Pragma("GCC error \"__cluster_dims__: the CPU backend does not have thread block clusters\"")
#define __grid_constant__
#define __maxnreg__(...)
#define __forceinline__ inline __attribute__((always_inline))
// Empty rather than the attribute: the standard library spells the attribute with this very word.
#define __noinline__
#ifndef __clang__
#define __builtin_assume(condition) static_cast<void>(0)
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__ __restrict
