// expect: racecheck allocate fill
// Memory of cudaMallocAsync is there for what follows in its stream; another stream has to wait.
#include <cuda_runtime.h>

__global__ void fill(int *a) {
  a[threadIdx.x] = 1; // @fill
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  int *a = nullptr;
  cudaMallocAsync(&a, 32 * sizeof(int), first); // @allocate
#ifdef FIXED
  cudaStreamSynchronize(first);
#endif
  fill<<<1, 32, 0, second>>>(a);
  cudaDeviceSynchronize();
  cudaFreeAsync(a, second);
  cudaDeviceSynchronize();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
