// expect: racecheck copy sum
// The host adds up registered memory without waiting for the copy into it.
#include "array.hpp"

#include <numeric>

__global__ void fill(int *values, int value) { values[threadIdx.x] = value; }

int main() {
  int *values = array<int>(32, 0);
  std::vector<int> host(32), mapped(32);
  for (auto *each : {&host, &mapped})
    cudaHostRegister(each->data(), 32 * sizeof(int), cudaHostRegisterMapped);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaDeviceSynchronize();
  fill<<<1, 32, 0, stream>>>(mapped.data(), 1);
  cudaMemcpyAsync(host.data(), values, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream); // @copy
#ifdef FIXED
  cudaStreamSynchronize(stream);
#endif
  volatile int sum = std::accumulate(host.begin(), host.end(), 0); // @sum
  (void)sum;
  cudaStreamSynchronize(stream);
  for (auto *each : {&host, &mapped})
    cudaHostUnregister(each->data());
  host[0] = mapped[0]; // the host's alone again
  cudaStreamDestroy(stream);
  return 0;
}
