// Memory of malloc and new in kernels, and generators.
#include "cases.hpp"

#include <curand_kernel.h>

// case heap_of_kernels
// expect: racecheck read free
// expect: memcheck write
// expect: memcheck read
// expect: memcheck past
// expect: memcheck freed
// expect: memcheck leak
// expect: initcheck unwritten
// Memory of malloc and new in kernels.
__global__ void use(bool fixed, int *out, int n) {
  __shared__ int *memory;
  if (threadIdx.x == 0)
    memory = static_cast<int *>(malloc(n * sizeof(int)));
  __syncthreads();
  memory[threadIdx.x] = threadIdx.x;      // @write
  out[threadIdx.x] = memory[threadIdx.x]; // @read
  if (fixed)
    __syncthreads();
  if (threadIdx.x == blockDim.x - 2)
    free(memory); // @free
}

__global__ void lists(bool fixed, int *out, int n) {
  int *memory = new int[n]; // @leak
  if (fixed)
    memory[0] = 1;
  else
    memory[n] = 1;    // @past
  out[0] = memory[0]; // @unwritten
  if (fixed)
    delete[] memory;
  memory = new int(4);
  if (fixed) {
    out[1] = *memory;
    delete memory;
  } else {
    delete memory;
    out[1] = *memory; // @freed
  }
}

CASE(heap_of_kernels) {
  int *out = array<int>(64);
  use<<<1, 64>>>(fixed, out, 64);
  lists<<<1, 1>>>(fixed, out, 10);
}

// case generator_in_each_thread
// expect: nothing
// Each thread has its own sequence. The first thread that needs the constants of the generator
// computes them.
__global__ void fill(float *x) {
  curandState state;
  curand_init(7, threadIdx.x, 0, &state);
  x[threadIdx.x] = curand_uniform(&state);
}

CASE(generator_in_each_thread) { fill<<<1, 64>>>(array<float>(64)); }
