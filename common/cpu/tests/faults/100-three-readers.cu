// expect: racecheck read write
// Three streams read; who writes then waits for the first and the last of them only.
#include "array.hpp"

__global__ void read(const int *a, int *b) {
  b[threadIdx.x] = a[0] + a[threadIdx.x]; // @read
}

__global__ void write(int *a) {
  a[threadIdx.x] = 1; // @write
}

int main() {
  int *a = array<int>(64, 0), *b = array<int>(3 * 64, 0);
  cudaStream_t stream[3], writer;
  cudaEvent_t event[3];
  cudaStreamCreateWithFlags(&writer, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  for (int i = 0; i < 3; ++i) {
    cudaStreamCreate(&stream[i]);
    cudaEventCreate(&event[i]);
    read<<<1, 64, 0, stream[i]>>>(a, b + i * 64);
    cudaEventRecord(event[i], stream[i]);
  }
  cudaStreamWaitEvent(writer, event[0]);
#ifdef FIXED
  cudaStreamWaitEvent(writer, event[1]);
#endif
  cudaStreamWaitEvent(writer, event[2]);
  write<<<1, 64, 0, writer>>>(a);
  cudaDeviceSynchronize();
  for (int i = 0; i < 3; ++i) {
    cudaStreamDestroy(stream[i]);
    cudaEventDestroy(event[i]);
  }
  cudaStreamDestroy(writer);
  return 0;
}
