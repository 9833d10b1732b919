#include "device.cuh"

__device__ int counter = 5;
__constant__ float factors[4];

extern __shared__ double buffer[]; // main.cu has another type for it

__device__ float scaled(float x, int i) { return x * factors[i]; }

// A barrier in a function of another file, and the built-in variables there.
__device__ void wait_for_block() {
  buffer[threadIdx.x] = threadIdx.x;
  __syncthreads();
}

__global__ void fill(float *x, int n) {
  buffer[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = scaled(static_cast<float>(buffer[blockDim.x - 1 - threadIdx.x]), 2);
  if (threadIdx.x == 0)
    atomicAdd(&counter, 1);
}

void add_from_other_file(float *x, int n) { add_to<<<1, n>>>(x, 1.0f, n); }
