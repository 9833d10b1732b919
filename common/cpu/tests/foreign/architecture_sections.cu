// Device functions that stand between #if __CUDA_ARCH__ and #endif, outside of functions.
#include <cstdio>

#if __CUDA_ARCH__ >= 700
__device__ int twice(int x) { return 2 * x; }
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ int twice(int x) { return x; }
#endif

#if __CUDA_ARCH__ >= 9900
__device__ int next(int x) { return x; }
#elif defined(__CUDA_ARCH__)
__device__ int next(int x) { return x + 1; }
#else
__device__ int next(int x) { return x - 1; }
#endif

#ifndef __CUDA_ARCH__
__device__ int same(int x) { return 0; }
#else
__device__ int same(int x) { return x; }
#endif

#ifdef __CUDA_ARCH__
constexpr int side = 1; // no function: as the host sees it
#else
constexpr int side = 2;
#endif

__global__ void run(int *value) {
#if __CUDA_ARCH__ >= 700
  *value = next(twice(same(*value))) + side;
#endif
}

int main() {
  int *value;
  cudaMallocManaged(&value, sizeof *value);
  *value = 20;
  run<<<1, 1>>>(value);
  const bool ok = cudaDeviceSynchronize() == cudaSuccess && *value == 43;
  cudaFree(value);
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
