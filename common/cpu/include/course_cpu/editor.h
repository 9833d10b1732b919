// CUDA's specifiers as clang's CUDA mode knows them. Two programs read .cu files this way, as they
// are, launches included: clangd, the language server of editors
// (build/editor/compile_commands.json), and the second reader (driver/second_reader.cpp). Only the
// latter has __CUDA_ARCH__, when it checks device code.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device)) // which host code can name as well
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

// The functions of C's library that device code has. C's own header, since <cmath> includes that of
// C++.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <stdlib.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <stdio.h>
#include <string.h>
#include <time.h>
#ifdef __CUDA_ARCH__
extern "C" {
__device__ void *malloc(size_t bytes);
__device__ void free(void *memory);
__device__ int abs(int x);
__device__ long labs(long x);
__device__ long long llabs(long long x);
__device__ int printf(const char *format, ...);
__device__ void *memcpy(void *to, const void *from, size_t bytes);
__device__ void *memmove(void *to, const void *from, size_t bytes);
__device__ void *memset(void *to, int value, size_t bytes);
__device__ clock_t clock();
__device__ void __assert_fail(const char *expression, const char *file, unsigned line,
                              const char *function);
}
#endif

// These have their own idea of which functions are the device's.
#include <exception>
#include <new>

#include "types.h"

// Headers whose functions both execution spaces have.
COURSE_CPU_BOTH_SPACES
#include <cmath>
#include <math.h>
COURSE_CPU_BOTH_SPACES_END

// Clang's translation of kernel<<<...>>>: the first for CUDA 9.2 and later, the second without a
// CUDA Toolkit.
__host__ __device__ unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                         size_t shared_bytes = 0,
                                                         cudaStream_t stream = nullptr);
__host__ __device__ int cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                          cudaStream_t stream = nullptr);

// An editor complains about execution spaces nowhere.
#ifndef COURSE_CPU_SECOND_READER
COURSE_CPU_BOTH_SPACES
#endif
