// expect: racecheck function write
// A host function in one stream uses managed memory that another stream's kernel writes.
#include <cuda_runtime.h>

__global__ void fill(int *values) {
  values[threadIdx.x] = 1; // @write
}

void increment(void *values) {
  static_cast<int *>(values)[0] += 1; // @function
}

int main() {
  int *values = nullptr;
  cudaMallocManaged(&values, 32 * sizeof(int));
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  fill<<<1, 32, 0, stream>>>(values);
#ifdef FIXED
  cudaLaunchHostFunc(stream, increment, values);
#else
  cudaLaunchHostFunc(other, increment, values);
#endif
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  cudaStreamDestroy(other);
  cudaFree(values);
  return 0;
}
