// Lesson 01: a kernel, a function that many threads run.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/01-hello-gpu/hello-gpu.cu -o hello-gpu
// Run:   ./hello-gpu
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"

#include <cstdio>

// Each thread of each block runs this; only these two numbers tell the threads apart.
// [kernel]
__global__ void hello(int *greetings) {
  printf("   hello from thread %u of block %u\n", threadIdx.x, blockIdx.x);
  greetings[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}
// [end]

// Lets two blocks of four threads say hello. Writes how often each thread did to `greetings`.
void say_hello(int (&greetings)[8]) {
  int *d_greetings; // d_: an address in the memory of the device
  CUDA_CHECK(cudaMalloc(&d_greetings, sizeof greetings));
  CUDA_CHECK(cudaMemset(d_greetings, 0, sizeof greetings));
  // [launch]
  hello<<<2, 4>>>(d_greetings);        // returns at once
  CUDA_CHECK(cudaGetLastError());      // was the launch accepted?
  CUDA_CHECK(cudaDeviceSynchronize()); // waits until the kernel has ended
  // [end]
  CUDA_CHECK(cudaMemcpy(greetings, d_greetings, sizeof greetings, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_greetings));
}

int main() {
  course::print_device();

  std::puts("\n2 blocks of 4 threads:");
  int greetings[8];
  say_hello(greetings);

  std::puts("");
  return course::verdict(course::verify("greetings", greetings, 8, [](std::size_t) { return 1; }));
}
