// Shared memory outside of functions, also with __device__ before it: each block has its own.
#include <cstdio>

constexpr int block_size = 96;
__shared__ int values[block_size];
__device__ __shared__ int scale;

__device__ void fill() {
  values[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0)
    scale = blockIdx.x + 1;
  __syncthreads();
}

__global__ void reverse(int *result) {
  fill();
  result[blockIdx.x * block_size + threadIdx.x] = scale * values[block_size - 1 - threadIdx.x];
}

int main() {
  constexpr int blocks = 5;
  int *result;
  cudaMallocManaged(&result, blocks * block_size * sizeof(int));
  reverse<<<blocks, block_size>>>(result);
  bool right = cudaDeviceSynchronize() == cudaSuccess;
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < block_size; ++t)
      right = right && result[b * block_size + t] == (b + 1) * (block_size - 1 - t);
  cudaFree(result);
  puts(right ? "PASS" : "FAIL");
  return !right;
}
