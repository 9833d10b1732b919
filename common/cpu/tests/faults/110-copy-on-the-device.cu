// expect: racecheck copy change
// cudaMemcpy between device arrays returns at once; a non-blocking stream does not wait for it.
#include "array.hpp"

__global__ void change(int *a) {
  a[threadIdx.x] += 1; // @change
}

int main() {
  int *a = array<int>(32, 0), *b = array<int>(32);
  cudaDeviceSynchronize();
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemcpy(b, a, 32 * sizeof(int), cudaMemcpyDeviceToDevice); // @copy
#ifdef FIXED
  cudaDeviceSynchronize();
#endif
  change<<<1, 32, 0, stream>>>(a);
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  return 0;
}
