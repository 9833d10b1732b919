// expect: nothing
// Each thread has its own sequence. The first thread that needs the constants of the generator
// computes them.
#include "array.hpp"

#include <curand_kernel.h>

__global__ void fill(float *x) {
  curandState state;
  curand_init(7, threadIdx.x, 0, &state);
  x[threadIdx.x] = curand_uniform(&state);
}

int main() {
  fill<<<1, 64>>>(array<float>(64));
  return cudaDeviceSynchronize();
}
