// expect: memcheck sends
// says: deadlock: each of these calls waits for a call that comes after another of them
// says: rank 0: ncclSend to rank 1, 256 x ncclFloat
// says: rank 1: ncclSend to rank 0, 256 x ncclFloat
// Each device sends to the other, and then receives.
#include <cuda_runtime.h>
#include <nccl.h>

int main() {
  constexpr int n = 256;
  ncclComm_t comms[2];
  float *from[2], *to[2];
  ncclCommInitAll(comms, 2, nullptr);
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMalloc(&from[device], n * sizeof(float));
    cudaMalloc(&to[device], n * sizeof(float));
    cudaMemset(from[device], 0, n * sizeof(float));
  }
#ifdef FIXED
  ncclGroupStart();
#endif
  for (int device = 0; device < 2; ++device) {
    ncclSend(from[device], n, ncclFloat, 1 - device, comms[device], nullptr); // @sends
    ncclRecv(to[device], n, ncclFloat, 1 - device, comms[device], nullptr);
  }
#ifdef FIXED
  ncclGroupEnd();
#endif
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    static_cast<void>(cudaDeviceSynchronize());
    static_cast<void>(cudaFree(from[device]));
    static_cast<void>(cudaFree(to[device]));
    ncclCommDestroy(comms[device]);
  }
  return 0;
}
