// Exercise 21-scan/keep-hot: the indices of the hot cells, in their order.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/21-scan/keep-hot.cu -o keep-hot
// Run:   ./keep-hot

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/21-scan/keep-hot.hpp"

#include <cstddef>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

constexpr int block = 256;

// Marks each cell: is it kept?
__global__ void mark(int n, const float *degrees, float limit, int *marks) {
  const int i = blockIdx.x * block + threadIdx.x;
  // TODO 1: write 1 for a hot cell and 0 for any other cell
  // TODO end
}

// places[i]: how many of the cells before cell i are hot.
__global__ void move(int n, const int *marks, const int *places, int *kept) {
  const int i = blockIdx.x * block + threadIdx.x;
  // TODO 2: write the index of each hot cell to its place
  // TODO end
}

int keep_hot(int n, const float *degrees, float limit, int *kept) {
  const int blocks = (n + block - 1) / block;
  float *d_degrees = nullptr;
  int *d_marks = nullptr, *d_places = nullptr, *d_kept = nullptr, count = -1;
  CUDA_CHECK(cudaMalloc(&d_degrees, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_marks, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_places, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_kept, n * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_degrees, degrees, n * sizeof(float), cudaMemcpyHostToDevice));
  mark<<<blocks, block>>>(n, d_degrees, limit, d_marks);
  CUDA_CHECK(cudaGetLastError());

  void *workspace = nullptr;
  // TODO 3: compute the places with CUB; which scan leaves out the cell itself?
  // TODO end
  CUDA_CHECK(cudaFree(workspace));

  move<<<blocks, block>>>(n, d_marks, d_places, d_kept);
  CUDA_CHECK(cudaGetLastError());
  int last_place = 0, last_mark = 0; // of cell n - 1
  CUDA_CHECK(cudaMemcpy(&last_place, d_places + n - 1, sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(&last_mark, d_marks + n - 1, sizeof(int), cudaMemcpyDeviceToHost));
  // TODO 4: how many cells are hot?
  // TODO end

  if (count > 0 && count <= n)
    CUDA_CHECK(cudaMemcpy(kept, d_kept, count * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_degrees));
  CUDA_CHECK(cudaFree(d_marks));
  CUDA_CHECK(cudaFree(d_places));
  CUDA_CHECK(cudaFree(d_kept));
  return count;
}

int main() {
  course::print_device();
  const int n = course::problem_size(4'000'037, 100'003);
  std::vector<float> degrees(n);
  std::vector<int> kept(n, -1), expected;
  for (int i = 0; i < n; ++i) {
    degrees[i] = i * 37LL % 101;
    if (degrees[i] > 90)
      expected.push_back(i);
  }
  const int count = keep_hot(n, degrees.data(), 90, kept.data()), hot = int(expected.size());
  if (count == -1) {
    std::puts("no result yet: fill in TODO 1 to TODO 4");
    return 1;
  }
  std::printf("%d of %d cells are hotter than 90 degrees\n", count, n);
  return course::verdict(
      course::verify_value("count", count, hot) &&
      course::verify("kept", kept.data(), hot, [&](size_t k) { return expected[k]; }));
}
