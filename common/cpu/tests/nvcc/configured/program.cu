// Needs -I and -D: nvcc -I"include folder" -DTIMES=3 -DNAME='"a name"' program.cu
#include <settings/kernel.cuh>

#include "settings/plain.hpp"

#include <cstdio>

int main() {
  int *x;
  cudaMallocManaged(&x, sizeof *x);
  *x = plain(2);
  launch(x);
  cudaDeviceSynchronize();
  std::printf("%d %s\n", *x, NAME);
  return 0;
}
