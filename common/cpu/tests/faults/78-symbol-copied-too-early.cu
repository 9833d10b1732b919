// expect: racecheck read copy
// A constant is replaced while a kernel of another stream reads it.
#include "array.hpp"

__constant__ float factor;

__global__ void scale(float *a) {
  a[threadIdx.x] *= factor; // @read
}

int main() {
  float *a = array<float>(64, 0);
  float one = 1;
  cudaMemcpyToSymbol(factor, &one, sizeof one);
  cudaStream_t stream, other;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  scale<<<1, 64, 0, stream>>>(a);
#ifdef FIXED
  cudaStreamSynchronize(stream);
#endif
  cudaMemcpyToSymbolAsync(factor, &one, sizeof one, 0, cudaMemcpyHostToDevice, other); // @copy
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  cudaStreamDestroy(other);
  return 0;
}
