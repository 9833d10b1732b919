// The host launches one short kernel after the other, and never returns.
#include <cstdio>

__global__ void step(unsigned *x) { x[threadIdx.x] += 1; }

int main() {
  unsigned *x;
  cudaMalloc(&x, 32 * sizeof *x);
  cudaMemset(x, 0, 32 * sizeof *x);
  for (unsigned i = 0;; ++i) {
    step<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    if (i == 0)
      puts("begun");
  }
}
