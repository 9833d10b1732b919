// expect: fail compile
// Reads again by a function of C that copies memory and is not looked into; the standard library's
// headers call it.
#define HAS_ONLY_A_KERNEL
#include "tests/grader/counted.hpp"

#include <string>

__global__ void twice_kernel(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
  wchar_t again;
  if (i < n) {
    std::char_traits<wchar_t>::copy(&again, (const wchar_t *)in + i, 1);
    out[i] += again;
  }
}
