// expect: memcheck long
// expect: memcheck kind
// expect: memcheck memset
// expect: memcheck for
// expect: memcheck while
// expect: memcheck do
// expect: memcheck else
// expect: memcheck case
// expect: memcheck default
// expect: memcheck lambda
// Copies that CUDA refuses, and nobody asks why: too long, in the wrong direction; a fill too long.
#include "array.hpp"

// A program's own names may begin like CUDA's.
#define cudaMustFail(call)                                                                         \
  do {                                                                                             \
    if ((call) == cudaSuccess)                                                                     \
      return 1;                                                                                    \
  } while (0)
inline void cudaMayFail(cudaError_t) {}

// Wherever a statement may begin. (Of two equal branches the compiler may make one.)
inline void everywhere(float *a, std::size_t bytes) {
  for (int i = 0; i < 1; ++i)
    cudaMemset(a, 0, bytes); // @for
  int times = 1;
  while (times-- > 0)
    cudaMemset(a, 0, bytes); // @while
  do
    cudaMemset(a, 0, bytes); // @do
  while (false);
  if (!a)
    ;
  else
    cudaMemset(a, 0, bytes); // @else
  for (int kind : {1, 2})
    switch (kind) {
    case 1:
      cudaMemset(a, 0, bytes); // @case
      break;
    default:
      cudaMemsetAsync(a, 0, bytes); // @default
    }
  const auto call = [=] {
    cudaMemset(a, 0, bytes); // @lambda
  };
  call();
}

int main() {
  std::vector<float> host(64, 1);
  float *a = array<float>(32);
#ifdef FIXED
  cudaMemcpy(a, host.data(), 32 * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(host.data(), a, 32 * sizeof(float), cudaMemcpyDeviceToHost);
  everywhere(a, 32 * sizeof(float));
  cudaMemset(a, 0, 33 * sizeof(float));
  if (cudaGetLastError() != cudaErrorInvalidValue) // looked at
    return 1;
  cudaMustFail(cudaMemset(a, 0, 33 * sizeof(float)));
  cudaMayFail(cudaMemset(a, 0, 33 * sizeof(float)));
  cudaMemset(a, 0, 34 * sizeof(float)); // the next call fails with the same error
  cudaMustFail(cudaMemset(a, 0, 33 * sizeof(float)));
  cudaGetLastError(); // clears the known error
#else
  cudaMemset(a, 0, 32 * sizeof(float));
  if (!host.empty())
    cudaMemcpy(a, host.data(), 64 * sizeof(float), cudaMemcpyHostToDevice); // @long
  cudaMemcpy(host.data(), a, 32 * sizeof(float), cudaMemcpyHostToDevice);   // @kind
  cudaMemset(a, 0, 33 * sizeof(float));                                     // @memset
  everywhere(a, 33 * sizeof(float));
#endif
  for (; cudaStreamQuery(nullptr);) // a condition, no statement
    ;
  cudaError_t error = cudaMemset(a, 0, 33 * sizeof(float)); // its result is looked at
  return error != cudaErrorInvalidValue;
}
