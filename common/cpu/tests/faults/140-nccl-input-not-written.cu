// expect: initcheck sum
// One device's values have never been set.
#include <cuda_runtime.h>
#include <nccl.h>

int main() {
  constexpr int n = 256;
  ncclComm_t comms[2];
  float *values[2];
  ncclCommInitAll(comms, 2, nullptr);
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMalloc(&values[device], n * sizeof(float));
#ifndef FIXED
    if (device == 0)
#endif
      cudaMemset(values[device], 0, n * sizeof(float));
  }
  ncclGroupStart();
  for (int device = 0; device < 2; ++device)
    ncclAllReduce(values[device], values[device], n, ncclFloat, ncclSum, comms[device], nullptr);
  ncclGroupEnd(); // @sum
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaDeviceSynchronize();
    cudaFree(values[device]);
    ncclCommDestroy(comms[device]);
  }
  return 0;
}
