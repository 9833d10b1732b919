// expect: memcheck fill
// The program ends without waiting for its kernel, and never learns that it fails.
#include <cuda_runtime.h>

__managed__ int values[32];

__global__ void fill(int *a, int n) {
  a[n] = 1; // @fill
}

int main() {
  int *a = nullptr;
  if (cudaMalloc(&a, 32 * sizeof(int)) != cudaSuccess)
    return 1;
  cudaFree(a);
#ifdef FIXED
  cudaGetSymbolAddress(&a, values);
#endif
  fill<<<1, 1>>>(a, 31);
  return 0;
}
