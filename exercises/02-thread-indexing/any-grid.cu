// Exercise 02-thread-indexing/any-grid: every cell once, whatever the grid.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/02-thread-indexing/any-grid.cu -o any-grid
// Run:   ./any-grid
//
// The caller chooses the grid. The usual way: a thread takes one cell, then the cell that lies one
// grid size further on, until the array ends.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/02-thread-indexing/any-grid.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void visit(int *visits, int n) {
  // TODO 1: visit all cells of this thread, not only one
  const int i = n; // past the last cell: no thread has one yet
  if (i < n)
    atomicAdd(&visits[i], 1); // atomic, so that no visit is lost where two threads come
  // TODO end
}

void any_grid(int *visits, int n, int grid, int block) {
  int *d_visits = nullptr;
  CUDA_CHECK(cudaMalloc(&d_visits, n * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_visits, visits, n * sizeof(int), cudaMemcpyHostToDevice));
  visit<<<grid, block>>>(d_visits, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(visits, d_visits, n * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_visits));
}

int main() {
  course::print_device();
  const int n = 1003, block = 64;
  bool correct = true;
  for (int grid : {1, 7, 100}) {
    std::vector<int> visits(n, 0);
    any_grid(visits.data(), n, grid, block);
    const auto [fewest, most] = std::minmax_element(visits.begin(), visits.end());
    std::printf("%3d blocks of %d threads, %d cells: each has %d to %d visits\n", grid, block, n,
                *fewest, *most);
    if (*most == 0) {
      std::puts("no result yet: fill in TODO 1");
      return 1;
    }
    correct = course::verify("visits", visits.data(), n, [](size_t) { return 1; }) && correct;
  }
  return course::verdict(correct);
}
