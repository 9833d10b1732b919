// Exercise 03-add-list/late-blame: a bug hunt. A later call is reported.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/03-add-list/late-blame.cu -o late-blame
// Run:   ./late-blame [refused|null|trap STEP]
//
// Three steps, one kernel each, change an array on the device. On request one step fails: its
// launch is `refused`, or its kernel gets a `null` pointer or executes a `trap`. The program should
// report that step. After a refused launch it can repeat the step. After an error inside a kernel
// no further call works, and it has to end.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

__global__ void append_digit(int digit, bool trap, int *numbers, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (trap)
    __trap();
  if (i < n)
    numbers[i] = 10 * numbers[i] + digit;
}

// Runs one step. Returns the error of its launch, else the error of its kernel.
cudaError_t do_step(int step, const std::string &fault, int *numbers, int n) {
  const int block = fault == "refused" ? 2048 : 256; // a block has at most 1024 threads
  append_digit<<<(n + block - 1) / block, block>>>(step, fault == "trap",
                                                   fault == "null" ? nullptr : numbers, n);
  // TODO 1: find the bug: which errors does this call not return?
  const cudaError_t refused = cudaGetLastError();
  return refused != cudaSuccess ? refused : cudaDeviceSynchronize();
  // TODO end
}

// True if the error of do_step is sticky: every call that uses the device fails from now on.
bool is_sticky() {
  // TODO 2: find the bug: does a call that uses the device still succeed?
  return cudaDeviceSynchronize() != cudaSuccess;
  // TODO end
}

int main(int argc, char **argv) {
  course::print_device();
  const std::string fault = argc > 2 ? argv[1] : "";
  const int faulty_step = argc > 2 ? std::atoi(argv[2]) : 0, n = 1000;
  int *d_numbers = nullptr;
  CUDA_CHECK(cudaMalloc(&d_numbers, n * sizeof(int)));
  CUDA_CHECK(cudaMemset(d_numbers, 0, n * sizeof(int)));
  for (int step = 1; step <= 3; ++step) {
    const cudaError_t error = do_step(step, step == faulty_step ? fault : "", d_numbers, n);
    if (error != cudaSuccess) {
      std::printf("step %d failed: %s\n", step, cudaGetErrorString(error));
      if (is_sticky()) {
        std::puts("no call can succeed any more: the program ends");
        return 1;
      }
      std::puts("the device still works: the same step again");
      CUDA_CHECK(do_step(step, "", d_numbers, n));
    }
    std::printf("step %d done\n", step);
  }
  std::vector<int> numbers(n);
  CUDA_CHECK(cudaMemcpy(numbers.data(), d_numbers, n * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_numbers));
  return course::verdict(course::verify("number", numbers.data(), n, [](size_t) { return 123; }));
}
