#include "tools.cuh"

static __device__ float local(float x) { return x + 1000; } // main.cu has another one
__device__ float named_alike(float x) { return local(x); }

__global__ void other_kernel(float *x) {
  x[threadIdx.x] = added(halved(named_alike(x[threadIdx.x])));
  atomicAdd(&calls, 1);
}

int other(float *x, int n) {
  const float own_factor = 10;
  cudaMemcpyToSymbol(factor, &own_factor, sizeof own_factor);
  other_kernel<<<1, n>>>(x);
  launch_reverse(x, n);
  apply<<<1, n>>>(x, n, Shift{100});
  int own_calls = 0;
  cudaMemcpyFromSymbol(&own_calls, calls, sizeof own_calls);
  return own_calls;
}
