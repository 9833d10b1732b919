// A host file without CUDA's syntax includes the runtime's header, and calls what a .cu file
// exports.
#include "twice.h"

#include <cuda_runtime.h>
#include <stdio.h>

int main() {
  float *x;
  if (cudaMallocManaged(&x, 64 * sizeof(float)) != cudaSuccess)
    return 1;
  for (int i = 0; i < 64; ++i)
    x[i] = i;
  twice(x, 64);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < 64; ++i)
    right = right && x[i] == 2 * i;
  right = cudaFree(x) == cudaSuccess && right;
  puts(right ? "PASS" : "FAIL");
  return !right;
}
