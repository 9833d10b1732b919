// Lesson 02, further: which launches a device refuses, tried for real.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/02-thread-indexing/thread-indexing-ladder.cu -o ladder
// Run:   ./ladder
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"

#include <cstdio>

__global__ void nothing() {}

// Launches `nothing` and says what came of it; whether it was accepted or refused as expected.
// [launch]
bool try_launch(dim3 grid, dim3 block, bool expected) {
  nothing<<<grid, block>>>();
  const cudaError_t status = cudaGetLastError(); // not CUDA_CHECK: errors are the subject here
  CUDA_CHECK(cudaDeviceSynchronize());           // a refused launch does no harm to the device
  // [end]
  std::printf("   grid %5u x %5u x %u, block %4u x %2u x %2u = %4u threads: %s\n", grid.x, grid.y,
              grid.z, block.x, block.y, block.z, block.x * block.y * block.z,
              status == cudaSuccess ? "runs" : cudaGetErrorName(status));
  return (status == cudaSuccess) == expected;
}

int main() {
  course::print_device();
  std::puts("");
  bool correct = try_launch(1, 1024, true);
  correct = try_launch(1, 1025, false) && correct;
  correct = try_launch(1, dim3(32, 32), true) && correct;
  correct = try_launch(1, dim3(33, 32), false) && correct;
  correct = try_launch(1, dim3(1, 1, 65), false) && correct;
  correct = try_launch(dim3(70000, 1), 1, true) && correct;
  correct = try_launch(dim3(1, 70000), 1, false) && correct;
  correct = try_launch(0, 32, false) && correct;
  std::puts("");
  return course::verdict(correct);
}
