// Functions whose head or body an #if chooses, for compilers of several kinds.
#include <stdio.h>

#ifdef __CUDACC__
#define START(kernel) kernel<<<1, 32>>>
__global__ void
#else
#define START(kernel) kernel
void
#endif
fill(int *x) {
#ifdef __CUDACC__
  const int i = threadIdx.x;
#else
  for (int i = 0; i < 32; ++i)
#endif
  x[i] = i;
}

#ifdef SOMETHING_ELSE
int lane() { return 0; }
#else
__device__ int lane() { return threadIdx.x % 32; }
#endif

__global__ void add(int *x) { x[threadIdx.x] += lane(); }

int main() {
  int *x;
  cudaMallocManaged(&x, 32 * sizeof(int));
#ifdef __CUDACC__
  START(fill)(x);
#else
  fill(x);
#endif
  START(add)(x);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < 32; ++i)
    right = right && x[i] == 2 * i;
  puts(right ? "PASS" : "FAIL");
  return !right;
}
