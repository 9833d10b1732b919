#include "kernels.hpp"

#include <cstdio>

__global__ void add(int *x, int n, int summand) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    x[i] += summand;
}

int main() {
  const int n = 1000;
  int *x;
  cudaMallocManaged(&x, n * sizeof *x);
  fill_on_device(x, n);
  add<<<1, 128>>>(x, n, 1);
  std::printf("%ld\n", sum(x, n)); // 500500
  return 0;
}
