// expect: racecheck read copy
// The host waits for a variable that a host function sets, and calls CUDA no more: that orders what
// came before the host function, and no more.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int *values) { values[threadIdx.x] = 7; }

void set(void *flag) { *static_cast<volatile bool *>(flag) = true; }

int main() {
  int *values = nullptr, *host = nullptr, *later = nullptr;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMallocHost(&host, 32 * sizeof(int));
  cudaMallocHost(&later, 32 * sizeof(int));
  volatile bool copied = false;
  fill<<<1, 32>>>(values);
  cudaMemcpyAsync(host, values, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaLaunchHostFunc(nullptr, set, const_cast<bool *>(&copied));
  cudaMemcpyAsync(later, values, 32 * sizeof(int), cudaMemcpyDeviceToHost); // @copy
  while (!copied) {
  }
#ifdef FIXED
  std::printf("%d\n", host[3]);
#else
  std::printf("%d\n", later[3]); // @read
#endif
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFreeHost(host);
  cudaFreeHost(later);
  return 0;
}
