// expect: racecheck fill work
// Nothing orders a fill and a kernel of two streams.
#include "array.hpp"

__global__ void work(float *a) {
  a[threadIdx.x] += 1; // @work
}

int main() {
  float *a = array<float>(64, 0);
  cudaDeviceSynchronize();
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMemsetAsync(a, 0, 64 * sizeof(float), first); // @fill
#ifdef FIXED
  work<<<1, 64, 0, first>>>(a);
#else
  work<<<1, 64, 0, second>>>(a);
#endif
  cudaDeviceSynchronize();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
