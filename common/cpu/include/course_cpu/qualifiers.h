// CUDA's declaration specifiers as macros. `extern __shared__` and kernel launches are rewritten by
// course-translate before the compiler sees them; all else that CUDA adds to C++ is here.
#pragma once

#ifdef __CUDA__
#include "editor.h"
#else

#define __global__
#define __device__
#define __host__
#define __constant__
#define __launch_bounds__(...)

// A block never leaves the thread of the operating system that runs it, so one copy a thread is one
// copy a block.
#define __shared__ static __thread

#endif

#define __managed__
#define __grid_constant__
#define __maxnreg__(...)
#define __forceinline__ inline __attribute__((always_inline))
// Empty rather than the attribute: the standard library spells the attribute with this very word.
#define __noinline__
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__ __restrict
