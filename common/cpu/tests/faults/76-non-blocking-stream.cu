// expect: racecheck write read
// A non-blocking stream does not wait for the default stream; one that blocks does.
#include "array.hpp"

__global__ void write(float *a) {
  a[threadIdx.x] = 1; // @write
}

__global__ void read(const float *a, float *b) {
  b[threadIdx.x] = a[threadIdx.x]; // @read
}

int main() {
  float *a = array<float>(64, 0), *b = array<float>(64, 0);
  cudaDeviceSynchronize();
  cudaStream_t stream;
#ifdef FIXED
  cudaStreamCreate(&stream);
#else
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
#endif
  write<<<1, 64>>>(a);
  read<<<1, 64, 0, stream>>>(a, b);
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  return 0;
}
