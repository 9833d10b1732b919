// expect: racecheck first sum
// An event that is recorded again stands for the second stream only.
#include "array.hpp"

__global__ void fill(int *a) {
  a[threadIdx.x] = 1; // @first
}

__global__ void add(const int *a, const int *b, int *c) {
  c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x]; // @sum
}

int main() {
  int *in[2] = {array<int>(32, 0), array<int>(32, 0)}, *c = array<int>(32, 0);
  cudaStream_t stream[3];
  cudaEvent_t done[2];
  for (auto &s : stream)
    cudaStreamCreate(&s);
  for (auto &event : done)
    cudaEventCreate(&event);
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i) {
    fill<<<1, 32, 0, stream[i]>>>(in[i]);
#ifdef FIXED
    cudaEventRecord(done[i], stream[i]);
#else
    cudaEventRecord(done[0], stream[i]);
    if (done[1] != done[0])
      cudaEventDestroy(done[1]);
    done[1] = done[0];
#endif
  }
  for (auto event : done)
    cudaStreamWaitEvent(stream[2], event);
  add<<<1, 32, 0, stream[2]>>>(in[0], in[1], c);
  cudaDeviceSynchronize();
  for (auto s : stream)
    cudaStreamDestroy(s);
  cudaEventDestroy(done[0]);
#ifdef FIXED
  cudaEventDestroy(done[1]);
#endif
  return 0;
}
