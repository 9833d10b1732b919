// expect: racecheck fill free
// cudaFreeAsync in one stream while another may still use the memory.
#include <cuda_runtime.h>

__global__ void fill(int *a) {
  a[threadIdx.x] = 1; // @fill
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  int *a = nullptr;
  cudaMallocAsync(&a, 32 * sizeof(int), first);
  cudaStreamSynchronize(first);
  fill<<<1, 32, 0, second>>>(a);
#ifdef FIXED
  cudaFreeAsync(a, second);
#else
  cudaFreeAsync(a, first); // @free
#endif
  cudaDeviceSynchronize();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
