// expect: racecheck copy column
// A copy of columns and a kernel that changes one of them, in two streams; other columns are fine.
#include "array.hpp"

__global__ void change(int *a, int column) {
  a[threadIdx.x * 16 + column] = 1; // @column
}

int main() {
  int *a = array<int>(16 * 16, 0), *b = array<int>(16 * 4);
  cudaDeviceSynchronize();
  cudaStream_t copies, kernels;
  cudaStreamCreate(&copies);
  cudaStreamCreate(&kernels);
  const size_t from = 16 * sizeof(int), to = 4 * sizeof(int);
  cudaMemcpy2DAsync(b, to, a, from, to, 16, cudaMemcpyDeviceToDevice, copies); // @copy
#ifdef FIXED
  change<<<1, 16, 0, kernels>>>(a, 4);
#else
  change<<<1, 16, 0, kernels>>>(a, 3);
#endif
  cudaDeviceSynchronize();
  cudaStreamDestroy(copies);
  cudaStreamDestroy(kernels);
  return 0;
}
