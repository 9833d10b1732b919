// expect: racecheck fill read
// The stream of the host thread, and a non-blocking one: nothing orders the two.
#include "array.hpp"

__global__ void fill(int *a) {
  a[threadIdx.x] = 1; // @fill
}

__global__ void read(const int *a, int *b) {
  b[threadIdx.x] = a[threadIdx.x]; // @read
}

int main() {
  int *a = array<int>(32, 0), *b = array<int>(32, 0);
  cudaDeviceSynchronize();
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  fill<<<1, 32, 0, cudaStreamPerThread>>>(a);
#ifdef FIXED
  cudaStreamSynchronize(cudaStreamPerThread);
#endif
  read<<<1, 32, 0, stream>>>(a, b);
  cudaDeviceSynchronize();
  cudaStreamDestroy(stream);
  return 0;
}
