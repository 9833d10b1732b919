// expect: memcheck long
// expect: memcheck kind
// expect: memcheck memset
// Copies that CUDA refuses, and nobody asks why: too long, in the wrong direction; a fill too long.
#include "array.hpp"

// A program's own names may begin like CUDA's.
#define cudaMustFail(call)                                                                         \
  do {                                                                                             \
    if ((call) == cudaSuccess)                                                                     \
      return 1;                                                                                    \
  } while (0)
inline void cudaMayFail(cudaError_t) {}

int main() {
  std::vector<float> host(64, 1);
  float *a = array<float>(32);
#ifdef FIXED
  cudaMemcpy(a, host.data(), 32 * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(host.data(), a, 32 * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemset(a, 0, 33 * sizeof(float));
  if (cudaGetLastError() != cudaErrorInvalidValue) // looked at
    return 1;
  cudaMustFail(cudaMemset(a, 0, 33 * sizeof(float)));
  cudaMayFail(cudaMemset(a, 0, 33 * sizeof(float)));
  cudaMemset(a, 0, 34 * sizeof(float)); // the next call fails with the same error
  cudaMustFail(cudaMemset(a, 0, 33 * sizeof(float)));
  cudaGetLastError(); // what is known already is cleared
#else
  cudaMemset(a, 0, 32 * sizeof(float));
  if (!host.empty())
    cudaMemcpy(a, host.data(), 64 * sizeof(float), cudaMemcpyHostToDevice); // @long
  cudaMemcpy(host.data(), a, 32 * sizeof(float), cudaMemcpyHostToDevice);   // @kind
  cudaMemset(a, 0, 33 * sizeof(float));                                     // @memset
#endif
  for (; cudaStreamQuery(nullptr);) // a condition, no statement
    ;
  cudaError_t error = cudaMemset(a, 0, 33 * sizeof(float)); // its result is looked at
  return error != cudaErrorInvalidValue;
}
