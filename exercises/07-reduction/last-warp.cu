// Exercise 07-reduction/last-warp: a bug hunt. A sum that is right by luck.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/07-reduction/last-warp.cu -o last-warp
// Run:   ./last-warp
//
// These lines were written for GPUs before 2017, whose warps executed every instruction together.
// Programs with such lines are still in use, and often print the right sum. There are two bugs.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/07-reduction/last-warp.hpp"

#include <cstdio>
#include <vector>

__global__ void sum_blocks(int n, const float *a, float *sums) {
  __shared__ float x[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  x[t] = i < n ? a[i] : 0;

  // TODO 1: find the bug: have all threads written when the last warp begins to read?
  for (int half = blockDim.x / 2; half > 32; half /= 2) {
    __syncthreads();
    if (t < half)
      x[t] += x[t + half];
  }
  // TODO end

  // TODO 2: find the bug: do the lanes of a warp wait for each other?
  if (t < 32) {
    x[t] += x[t + 32];
    x[t] += x[t + 16];
    x[t] += x[t + 8];
    x[t] += x[t + 4];
    x[t] += x[t + 2];
    x[t] += x[t + 1];
  }
  // TODO end

  if (t == 0)
    sums[blockIdx.x] = x[0];
}

void last_warp(int n, const float *x, float *sums, int block) {
  const int blocks = (n + block - 1) / block;
  float *d_x = nullptr, *d_sums = nullptr;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_sums, blocks * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_x, x, n * sizeof(float), cudaMemcpyHostToDevice));
  sum_blocks<<<blocks, block>>>(n, d_x, d_sums);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(sums, d_sums, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_sums));
}

int main() {
  course::print_device();
  const int n = 100'003;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = i * 7919LL % 1000; // whole numbers: their sums are exact

  bool correct = true;
  for (int block : {64, 256, 1024}) {
    std::vector<float> sums((n + block - 1) / block), expected(sums.size());
    for (int i = 0; i < n; ++i)
      expected[i / block] += x[i];
    last_warp(n, x.data(), sums.data(), block);
    std::printf("blocks of %d threads: sums[0] = %.0f\n", block, sums[0]);
    correct =
        course::verify("sums", sums.data(), sums.size(), [&](size_t b) { return expected[b]; }) &&
        correct;
  }
  return course::verdict(correct);
}
