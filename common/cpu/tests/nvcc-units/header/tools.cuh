// Device code in a header of two files, as a program without -rdc has it: each file has its own.
#pragma once

__constant__ float factor; // one in each file
static __device__ int calls;

inline __device__ int index() { return blockIdx.x * blockDim.x + threadIdx.x; }
__forceinline__ __device__ float doubled(float x) { return 2 * x; }
static __device__ __noinline__ float halved(float x) { return x / 2; }
__device__ float added(float x) { return x + factor; }
__host__ __device__ constexpr int squared(int x) { return x * x; }

struct Shift {
  float by;
  __host__ __device__ float operator()(float x) const { return x + by; }
};

template <class F> __global__ void apply(float *x, int n, F f) {
  if (index() < n)
    x[index()] = f(x[index()]);
}

static __global__ void reverse(float *x) {
  extern __shared__ float values[];
  values[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}

inline void launch_reverse(float *x, int n) { reverse<<<1, n, n * sizeof(float)>>>(x); }
