// expect: racecheck read free
// expect: memcheck write
// expect: memcheck read
// expect: memcheck past
// expect: memcheck freed
// expect: memcheck leak
// expect: initcheck unwritten
// Memory of malloc and new in kernels.
#include "array.hpp"

__global__ void use(int *out, int n) {
  __shared__ int *memory;
  if (threadIdx.x == 0)
    memory = static_cast<int *>(malloc(n * sizeof(int)));
  __syncthreads();
  memory[threadIdx.x] = threadIdx.x;      // @write
  out[threadIdx.x] = memory[threadIdx.x]; // @read
#ifdef FIXED
  __syncthreads();
#endif
  if (threadIdx.x == blockDim.x - 2)
    free(memory); // @free
}

__global__ void lists(int *out, int n) {
  int *memory = new int[n]; // @leak
#ifdef FIXED
  memory[0] = 1;
#else
  memory[n] = 1; // @past
#endif
  out[0] = memory[0]; // @unwritten
#ifdef FIXED
  delete[] memory;
#endif
  memory = new int(4);
#ifdef FIXED
  out[1] = *memory;
  delete memory;
#else
  delete memory;
  out[1] = *memory; // @freed
#endif
}

int main() {
  int *out = array<int>(64);
  use<<<1, 64>>>(out, 64);
  lists<<<1, 1>>>(out, 10);
  cudaDeviceSynchronize();
  return 0;
}
