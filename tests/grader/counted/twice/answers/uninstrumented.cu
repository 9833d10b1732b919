// expect: fail compile on=cpu
// Reads again in a function without instrumentation.
#define HAS_ONLY_A_KERNEL
#include "tests/grader/counted.hpp"

__attribute__((no_sanitize("thread"))) __device__ int again(const int *from) { return *from; }

__global__ void twice_kernel(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + again(in + i);
}
