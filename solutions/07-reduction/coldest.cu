// Exercise 07-reduction/coldest: the minimum of every 32 cells, with shuffles.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/07-reduction/coldest.cu -o coldest
// Run:   ./coldest

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/07-reduction/coldest.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int block = 128; // four warps

// Every warp writes the minimum of its 32 cells.
__global__ void coldest_of_warps(int n, const float *degrees, float *coldest_of) {
  const int i = blockIdx.x * block + threadIdx.x;

  // TODO 1: what does a lane without a cell contribute?
  float x = i < n ? degrees[i] : INFINITY;
  // TODO end

  // TODO 2: compute the minimum of the warp in lane 0
  for (int half = 16; half > 0; half /= 2)
    x = fminf(x, __shfl_down_sync(0xffffffff, x, half));
  // TODO end

  if (i < n && i % 32 == 0)
    coldest_of[i / 32] = x;
}

void coldest(int n, const float *degrees, float *coldest_of) {
  const int groups = (n + 31) / 32;
  float *d_degrees = nullptr, *d_coldest = nullptr;
  CUDA_CHECK(cudaMalloc(&d_degrees, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_coldest, groups * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_degrees, degrees, n * sizeof(float), cudaMemcpyHostToDevice));
  coldest_of_warps<<<(n + block - 1) / block, block>>>(n, d_degrees, d_coldest);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(coldest_of, d_coldest, groups * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_degrees));
  CUDA_CHECK(cudaFree(d_coldest));
}

// weak: a program that links this file may have its own main.
__attribute__((weak)) int main() {
  course::print_device();
  const int n = 1003;
  std::vector<float> degrees(n), found((n + 31) / 32), expected(found.size(), INFINITY);
  for (int i = 0; i < n; ++i) {
    degrees[i] = 5 + i * 37 % 101 / 8.0f;
    expected[i / 32] = std::min(expected[i / 32], degrees[i]);
  }
  coldest(n, degrees.data(), found.data());
  std::printf("the coldest of the first and of the last group: %.3f and %.3f degrees\n",
              found.front(), found.back());
  return course::verdict(
      course::verify("coldest", found.data(), found.size(), [&](size_t w) { return expected[w]; }));
}
