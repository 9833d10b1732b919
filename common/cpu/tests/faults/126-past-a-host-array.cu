// expect: memcheck back
// expect: memcheck there
// expect: memcheck pinned
// Copies to and from host memory that is too short: bytes for elements, the number of another
// array, a last chunk that is shorter.
#include "array.hpp"

#include <cstdlib>

int main() {
  float *a = array<float>(100, 0);
  std::vector<float> host(100);
  float *half = static_cast<float *>(std::malloc(50 * sizeof(float)));
  for (int i = 0; i < 50; ++i)
    half[i] = i;
  cudaHostRegister(half, 50 * sizeof(float), cudaHostRegisterDefault);
#ifdef FIXED
  cudaMemcpyAsync(half + 40, a, 10 * sizeof(float), cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  cudaMemcpy(host.data(), a, 100 * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(host.data() + 99, a, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(a, half, 50 * sizeof(float), cudaMemcpyHostToDevice);
#else
  cudaMemcpyAsync(half + 40, a, 20 * sizeof(float), cudaMemcpyDeviceToHost); // @pinned
  cudaDeviceSynchronize();
  cudaMemcpy(host.data() + 1, a, 100 * sizeof(float), cudaMemcpyDeviceToHost); // @back
  cudaMemcpy(a, half, 100 * sizeof(float), cudaMemcpyHostToDevice);            // @there
#endif
  cudaHostUnregister(half);
  std::free(half);
  return 0;
}
