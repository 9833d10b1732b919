// Exercise 03-add-list/there-and-back: an array to the device, and back.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/03-add-list/there-and-back.cu -o there-and-back
// Run:   ./there-and-back
//
// The kernel changes the sign of every number. The two copies are missing.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/03-add-list/there-and-back.hpp"

#include <cstdio>
#include <vector>

__global__ void negate(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = -x[i];
}

void there_and_back(float *x, int n) {
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr;
  CUDA_CHECK(cudaMalloc(&d_x, bytes));

  // TODO 1: copy the array to the device
  // TODO end

  negate<<<(n + 255) / 256, 256>>>(d_x, n);
  CUDA_CHECK(cudaGetLastError());

  // TODO 2: copy the array back to the host
  // TODO end
  CUDA_CHECK(cudaFree(d_x));
}

int main() {
  course::print_device();
  const int n = 1003;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = i + 1;
  there_and_back(x.data(), n);
  if (x[0] == 1) {
    std::puts("no result yet: fill in TODO 1 and TODO 2");
    return 1;
  }
  return course::verdict(course::verify("x", x.data(), n, [](size_t i) { return -1.0 - i; }));
}
