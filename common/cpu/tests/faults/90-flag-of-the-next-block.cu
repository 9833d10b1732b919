// expect: synccheck look
// Each block waits for the next one. That one need not begin before the first ends, except in a
// cooperative launch.
#include "array.hpp"

__global__ void exchange(unsigned *flags, int *values, int *out) {
  const unsigned mine = blockIdx.x, next = (blockIdx.x + 1) % gridDim.x;
  if (threadIdx.x > 0)
    return;
  values[mine] = mine;
  __threadfence();
  atomicExch(&flags[mine], 1u);
  while (*const_cast<volatile unsigned *>(&flags[next]) == 0) // @look
    ;
  __threadfence();
  out[mine] = values[next];
}

int main() {
  unsigned *flags = array<unsigned>(4, 0);
  int *values = array<int>(4), *out = array<int>(4);
#ifdef FIXED
  void *arguments[] = {&flags, &values, &out};
  cudaLaunchCooperativeKernel(exchange, 4, 32, arguments, 0, nullptr);
#else
  exchange<<<4, 32>>>(flags, values, out);
#endif
  return cudaDeviceSynchronize();
}
