// expect: racecheck produce consume
// The event is recorded in the default stream, for want of an argument; the work is in another.
#include "array.hpp"

__global__ void produce(int *a) {
  a[threadIdx.x] = 1; // @produce
}

__global__ void consume(const int *a, int *b) {
  b[threadIdx.x] = a[threadIdx.x]; // @consume
}

int main() {
  int *a = array<int>(32, 0), *b = array<int>(32, 0);
  cudaDeviceSynchronize();
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t event;
  cudaEventCreate(&event);
  produce<<<1, 32, 0, first>>>(a);
#ifdef FIXED
  cudaEventRecord(event, first);
#else
  cudaEventRecord(event);
#endif
  cudaStreamWaitEvent(second, event);
  consume<<<1, 32, 0, second>>>(a, b);
  cudaDeviceSynchronize();
  cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}
