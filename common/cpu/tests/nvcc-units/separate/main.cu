#include "device.cuh"

#include <cstdio>

extern __shared__ int buffer[];

void add_from_other_file(float *x, int n);

__global__ void reverse(int *y) {
  wait_for_block();
  const int other = blockDim.x - 1 - threadIdx.x;
  __syncthreads();
  buffer[threadIdx.x] = threadIdx.x;
  __syncthreads();
  y[threadIdx.x] = buffer[other] + counter;
}

int main() {
  const int n = 64;
  float *x = nullptr;
  int *y = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(int));
  const float host_factors[4] = {0, 1, 2, 3};
  cudaMemcpyToSymbol(factors, host_factors, sizeof host_factors);

  fill<<<1, n, n * sizeof(double)>>>(x, n);
  add_to<<<1, n>>>(x, 0.5f, n);
  add_from_other_file(x, n);
  reverse<<<1, n, n * sizeof(double)>>>(y);

  float host_x[n];
  int host_y[n], host_counter = 0;
  cudaMemcpy(host_x, x, sizeof host_x, cudaMemcpyDeviceToHost);
  cudaMemcpy(host_y, y, sizeof host_y, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&host_counter, counter, sizeof host_counter);
  std::printf("%g %g, %d %d, %d, %s\n", host_x[0], host_x[n - 1], host_y[0], host_y[n - 1],
              host_counter, cudaGetErrorName(cudaGetLastError()));
  cudaFree(x);
  cudaFree(y);
}
