// expect: memcheck small
// expect: memcheck short
// CUB's temporary storage: smaller than CUB has asked for, and an array shorter than said.
#include "array.hpp"

#include <cub/cub.cuh>

int main() {
  const int n = 10000;
  float *a = array<float>(n, 0), *sum = array<float>(1);
  size_t bytes = 0;
  if (cub::DeviceReduce::Sum(nullptr, bytes, a, sum, n) != cudaSuccess)
    return 1;
  char *storage = array<char>(bytes);
#ifdef FIXED
  cub::DeviceReduce::Sum(storage, bytes, a, sum, n);
#else
  size_t less = bytes - 1;
  cub::DeviceReduce::Sum(storage, less, a, sum, n); // @small
  char *half = array<char>(bytes / 2);
  cub::DeviceReduce::Sum(half, bytes, a, sum, n); // @short
#endif
  return cudaDeviceSynchronize();
}
