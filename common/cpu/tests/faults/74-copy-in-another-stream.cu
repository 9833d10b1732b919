// expect: racecheck write copy
// A copy in a stream of its own does not wait for the kernel.
#include "array.hpp"

__global__ void fill(int *values) {
  values[threadIdx.x] = 1; // @write
}

int main() {
  int *values = array<int>(32, 0), *copy = array<int>(32);
  cudaDeviceSynchronize();
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  fill<<<1, 32, 0, stream>>>(values);
#ifdef FIXED
  cudaStreamSynchronize(stream);
#endif
  cudaMemcpyAsync(copy, values, 32 * sizeof(int), cudaMemcpyDeviceToDevice, other); // @copy
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  cudaStreamDestroy(other);
  return 0;
}
