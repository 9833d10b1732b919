// expect: memcheck none
// expect: memcheck many
// expect: memcheck shared
// expect: memcheck exchanged
// says: grid and block are exchanged: <<<grid, block>>>
// Launches that CUDA refuses. cudaDeviceSynchronize does not tell; cudaGetLastError would.
#include "array.hpp"

__global__ void fill(int *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = 1;
}

int main() {
  const int n = 100;
  int *a = array<int>(n);
#ifdef FIXED
  fill<<<(n + 255) / 256, 256>>>(a, n);
  fill<<<1, 2048>>>(a, n); // refused on purpose
  if (cudaGetLastError() != cudaErrorInvalidConfiguration)
    return 1;
#else
  fill<<<n / 256, 256>>>(a, n);    // @none
  fill<<<1, 2048>>>(a, n);         // @many
  fill<<<1, 32, 64 << 10>>>(a, n); // @shared
  fill<<<256, 3907>>>(a, n);       // @exchanged
#endif
  return cudaDeviceSynchronize();
}
