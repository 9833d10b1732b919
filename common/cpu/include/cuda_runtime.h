// CUDA's runtime API and language extensions for programs that the CPU backend runs. As with nvcc,
// every .cu file includes it first without saying so.
#pragma once

#ifdef COURSE_CPU_INSTRUMENTED
#undef _FORTIFY_SOURCE // which Ubuntu's g++ defines: its own memcpy and kin would go past the tools
// Calls of these go to the tools: they are accesses that the compiler does not instrument. It must
// not expand them (-fno-builtin-memcpy and its kin), nor what the standard library says for them.
extern "C" {
void *memcpy(void *to, const void *from, __SIZE_TYPE__ bytes) noexcept __asm__("course_cpu_memcpy");
void *memmove(void *to, const void *from, __SIZE_TYPE__ bytes) noexcept
    __asm__("course_cpu_memmove");
void *memset(void *to, int value, __SIZE_TYPE__ bytes) noexcept __asm__("course_cpu_memset");
}
// And these, so that the tools know where host memory ends.
extern "C" {
void *malloc(__SIZE_TYPE__ bytes) noexcept __asm__("course_cpu_malloc");
void *calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ bytes) noexcept __asm__("course_cpu_calloc");
void *realloc(void *memory, __SIZE_TYPE__ bytes) noexcept __asm__("course_cpu_realloc");
void free(void *memory) noexcept __asm__("course_cpu_free");
}
#define __builtin_memmove(...) ::memmove(__VA_ARGS__)
#define __builtin_memset(...) ::memset(__VA_ARGS__)
#endif

#include "course_cpu/qualifiers.h"
#include "course_cpu/types.h"

#include "course_cpu/api.h"
#if __cplusplus >= 201703L // host files may be older
#include "course_cpu/execution.h"
#include "course_cpu/launch_arguments.h"
#include "course_cpu/warp.h"

#include "course_cpu/atomics.h"
#include "course_cpu/heap.h"
#include "course_cpu/math.h"
#endif
#include "course_cpu/graphs.h"
#include "course_cpu/launch.h"
#include "course_cpu/symbols.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
