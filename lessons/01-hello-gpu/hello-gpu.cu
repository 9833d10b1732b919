// Lesson 01: a kernel is a function that many threads run.
//
// Build: nvcc -O3 -std=c++17 lessons/01-hello-gpu/hello-gpu.cu -o hello-gpu
// Run:   ./hello-gpu
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// If a CUDA call has failed, prints the reason and ends the program.
// [check]
void check(cudaError_t status) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
  }
}
// [end]

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
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  std::printf("device: %s, %d multiprocessors, %.1f GB\n", properties.name,
              properties.multiProcessorCount, 1e-9 * properties.totalGlobalMem);

  std::puts("\n1. 1000 numbers, 4 blocks of 256 threads");
  // [launch]
  const int n = 1000;
  float *x; // the address of n numbers that host and device can both use
  check(cudaMallocManaged(&x, n * sizeof(float)));
  for (int i = 0; i < n; ++i)
    x[i] = i;

  scale<<<4, 256>>>(x, n);        // 4 blocks of 256 threads
  check(cudaGetLastError());      // did the launch succeed?
  check(cudaDeviceSynchronize()); // wait until the kernel has ended
  // [end]
  std::printf("   x[0] = %g, x[1] = %g, ..., x[999] = %g\n", x[0], x[1], x[n - 1]);

  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (x[i] != i + i) // not the kernel's formula; also true if x[i] is NaN
      ++wrong;
  if (wrong > 0)
    std::printf("   %d numbers are wrong\n", wrong);
  check(cudaFree(x));

  std::puts("\n2. 6 blocks of 2 threads");
  hello<<<6, 2>>>();
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());

  std::puts(wrong == 0 ? "\nPASS" : "\nFAIL");
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
