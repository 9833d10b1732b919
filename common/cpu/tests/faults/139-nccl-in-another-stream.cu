// expect: racecheck sum kernel
// says: read by the call of a library queued
// Each device sums in a stream of its own, and the values of device 0 come from another.
#include <cuda_runtime.h>
#include <nccl.h>

__global__ void fill(float *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = float(i); // @kernel
}

int main() {
  constexpr int n = 256;
  ncclComm_t comms[2];
  float *values[2], *sums[2];
  cudaStream_t streams[2], other;
  ncclCommInitAll(comms, 2, nullptr);
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMalloc(&values[device], n * sizeof(float));
    cudaMalloc(&sums[device], n * sizeof(float));
    cudaStreamCreateWithFlags(&streams[device], cudaStreamNonBlocking);
  }
  cudaSetDevice(0);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
#ifdef FIXED
  const cudaStream_t first = streams[0];
#else
  const cudaStream_t first = other;
#endif
  fill<<<2, 128, 0, first>>>(values[0], n);
  cudaSetDevice(1);
  fill<<<2, 128, 0, streams[1]>>>(values[1], n);
  ncclGroupStart();
  for (int device = 0; device < 2; ++device)
    ncclAllReduce(values[device], sums[device], n, ncclFloat, ncclSum, comms[device],
                  streams[device]);
  ncclGroupEnd(); // @sum
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaDeviceSynchronize();
    cudaFree(values[device]);
    cudaFree(sums[device]);
    ncclCommDestroy(comms[device]);
    cudaStreamDestroy(streams[device]);
  }
  cudaStreamDestroy(other);
  return 0;
}
