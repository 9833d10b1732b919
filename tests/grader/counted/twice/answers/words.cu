// expect: pass
// Words that are no blind spots: in strings, and names of variables.
#define HAS_ONLY_A_KERNEL
#include "tests/grader/counted.hpp"

const char *const words = "asm no_sanitize target(\"avx2\") wmemcpy"; // #line 1 "asm"
/* #include <immintrin.h>, asm */

__global__ void twice_kernel(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 2 * in[i];
}

int line(int target) { return target; }
