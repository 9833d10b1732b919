// expect: racecheck write read
// The host reads managed memory while the kernel may still write it.
#include <cuda_runtime.h>

__global__ void fill(int *values) {
  values[threadIdx.x] = 1; // @write
}

int main() {
  int *values = nullptr;
  cudaMallocManaged(&values, 32 * sizeof(int));
  fill<<<1, 32>>>(values);
#ifdef FIXED
  cudaDeviceSynchronize();
#endif
  volatile int first = values[0]; // @read
  (void)first;
  cudaDeviceSynchronize();
  cudaFree(values);
  return 0;
}
