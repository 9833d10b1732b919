// Lesson 01: a kernel is a function that many threads run.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/01-hello-gpu/hello-gpu.cu -o hello-gpu
// Run:   ./hello-gpu
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"

#include <cstdio>

// Doubles n numbers, one thread per number.
// [scale]
__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x; // the element of this thread
  if (i < n)                                           // the last threads have no element
    x[i] = 2 * x[i];
}
// [end]

// Prints the two indices of every thread.
// [hello]
__global__ void hello() {
  // every thread executes this line
  printf("   hello from block %u, thread %u\n", blockIdx.x, threadIdx.x);
}
// [end]

int main() {
  course::print_device();

  std::puts("\n1. 1000 numbers, 4 blocks of 256 threads");
  // [launch]
  const int n = 1000;
  float *x; // the address of n numbers that host and device can both use
  CUDA_CHECK(cudaMallocManaged(&x, n * sizeof(float)));
  for (int i = 0; i < n; ++i)
    x[i] = i;
  scale<<<4, 256>>>(x, n);             // 4 blocks of 256 threads
  CUDA_CHECK(cudaGetLastError());      // did the launch succeed?
  CUDA_CHECK(cudaDeviceSynchronize()); // wait until the kernel has ended
  // [end]
  std::printf("   x[0] = %g, x[1] = %g, ..., x[999] = %g\n", x[0], x[1], x[n - 1]);
  const bool correct = course::verify("x", x, n, [](std::size_t i) { return i + i; });
  CUDA_CHECK(cudaFree(x));

  std::puts("\n2. 6 blocks of 2 threads");
  hello<<<6, 2>>>();
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  std::puts("");
  return course::verdict(correct);
}
