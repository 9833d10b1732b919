// expect: racecheck write read
// A block reads what another block of the same launch writes; no barrier orders blocks.
#include "array.hpp"

__global__ void step(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1;
}

__global__ void both_steps(const int *in, int *out, int *sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1; // @write
  __syncthreads();
  sum[i] = out[i] + out[(i + blockDim.x) % (gridDim.x * blockDim.x)]; // @read
}

__global__ void add(const int *out, int *sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] = out[i] + out[(i + blockDim.x) % (gridDim.x * blockDim.x)];
}

int main() {
  int *in = array<int>(512, 0), *out = array<int>(512), *sum = array<int>(512);
#ifdef FIXED
  step<<<4, 128>>>(in, out);
  add<<<4, 128>>>(out, sum);
#else
  both_steps<<<4, 128>>>(in, out, sum);
#endif
  return cudaDeviceSynchronize();
}
