// Exercise 02-thread-indexing/countdown: the index, the guard and the grid.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/02-thread-indexing/countdown.cu -o countdown
// Run:   ./countdown
//
// The last block has threads without an element.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/02-thread-indexing/countdown.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void count_down(int *list, int n) {
  // TODO 1: which element does this thread write?
  const int i = 0;
  // TODO end

  // TODO 2: does the array have that element?
  const bool inside = false;
  // TODO end

  if (inside)
    list[i] = n - i;
}

void countdown(int *list, int n, int block) {
  int *d_list = nullptr;
  CUDA_CHECK(cudaMalloc(&d_list, n * sizeof(int)));
  CUDA_CHECK(cudaMemset(d_list, 0, n * sizeof(int)));

  // TODO 3: how many blocks cover all elements?
  const int grid = 1;
  // TODO end
  count_down<<<grid, block>>>(d_list, n);
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(list, d_list, n * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_list));
}

int main() {
  course::print_device();
  const int n = 10, block = 4;
  std::vector<int> list(n);
  countdown(list.data(), n, block);
  for (int value : list)
    std::printf(" %d", value);
  std::puts("");
  if (std::all_of(list.begin(), list.end(), [](int value) { return value == 0; })) {
    std::puts("no result yet: fill in TODO 1 to TODO 3");
    return 1;
  }
  return course::verdict(
      course::verify("list", list.data(), n, [&](size_t i) { return n - int(i); }));
}
