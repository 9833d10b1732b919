#include "../checked_call.hpp"
void copy(float *x, float *d_x, int n) {
  CUDA_CHECK(cudaMalloc(&d_x));
  cudaMalloc(&d_x, n, 2);
  cudaMemcpy(d_x, *x, n, cudaMemcpyHostToDevice);
  cudaMemcpy(d_x, x, cudaMemcpyHostToDevice, n);
  cudaMemset(d_x, n);
  cudaFree(n);
  cudaDeviceSynchronize(0);
}
