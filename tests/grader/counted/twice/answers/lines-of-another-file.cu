// expect: fail compile on=cpu
// Lines that seem to be of a header, by a compiler's own form of #line.
#define HAS_ONLY_A_KERNEL
#include "tests/grader/counted.hpp"

# 1 "/usr/include/stdio.h" 1
__device__ int again(const int *from) { return *from; }

__global__ void twice_kernel(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + again(in + i);
}
