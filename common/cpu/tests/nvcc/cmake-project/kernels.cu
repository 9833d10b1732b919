#include "kernels.hpp"

__global__ void fill(int *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = i;
}

void fill_on_device(int *x, int n) { fill<<<(n + 255) / 256, 256>>>(x, n); }
