#include "tools.cuh"

#include <cstdio>

int other(float *x, int n);

static __device__ float local(float x) { return x; }
__device__ float named_alike(float x) { return local(x); }

__global__ void kernel(float *x) {
  x[threadIdx.x] = added(doubled(named_alike(threadIdx.x)));
  atomicAdd(&calls, squared(2));
}

int main() {
  const int n = 32;
  float *x = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  const float own_factor = 1;
  cudaMemcpyToSymbol(factor, &own_factor, sizeof own_factor);
  kernel<<<1, n>>>(x); // 2 i + 1
  launch_reverse(x, n);
  apply<<<1, n>>>(x, n, Shift{2});
  const int other_calls = other(x, n);
  float host_x[n];
  int own_calls = 0;
  cudaMemcpy(host_x, x, sizeof host_x, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&own_calls, calls, sizeof own_calls);
  std::printf("%g %g, %d %d, %s\n", host_x[0], host_x[n - 1], own_calls, other_calls,
              cudaGetErrorName(cudaGetLastError()));
  cudaFree(x);
}
