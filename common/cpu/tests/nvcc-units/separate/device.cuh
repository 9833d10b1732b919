// Shared by main.cu and kernels.cu: nvcc -rdc=true links device code across files.
#pragma once

extern __device__ int counter;
extern __constant__ float factors[4];

__device__ float scaled(float x, int i);
__device__ void wait_for_block();

__global__ void fill(float *x, int n);

template <class T> __global__ void add_to(T *x, T value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += value;
}
