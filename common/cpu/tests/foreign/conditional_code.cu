// Code that an #if leaves out may do what nvcc refuses.
#include <cstdio>

__global__ void add(int *a) { *a += 1; }

int on_host(int x) { return x + 1; }

__device__ int next(int x) {
#ifdef __CUDA_ARCH__
  return x + 1;
#else
  return on_host(x);
#endif
}

#define DEVICE
#ifdef DEVICE
__device__ int twice(int x) { return next(x) + next(x); }
#else
int twice(int x) { return next(x) + threadIdx.x; }
#endif

__global__ void run(int *a) { *a = twice(*a); }

int main() {
  int *a;
  cudaMallocManaged(&a, sizeof(int));
  *a = 2;
#ifdef HOST
  add(a);
  __syncthreads();
#else
  add<<<1, 1>>>(a);
#endif
  run<<<1, 1>>>(a);
  const bool is_right = cudaDeviceSynchronize() == cudaSuccess && *a == 8;
  std::puts(is_right ? "PASS" : "FAIL");
  return !is_right;
}
