// expect: fail compile
// The same by the compiler's own function, for the whole file.
#define HAS_ONLY_A_KERNEL
#include "tests/grader/counted.hpp"

#pragma GCC target("avx2")

typedef int Eight __attribute__((__vector_size__(32)));

__global__ void twice_kernel(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + __builtin_ia32_gathersiv8si(Eight{}, in + i, Eight{}, ~Eight{}, 4)[0];
}
