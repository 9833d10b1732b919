// Exercise 06-integration2d/block-means: the mean of every 256 samples.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/06-integration2d/block-means.cu -o block-means
// Run:   ./block-means
//
// A thermometer takes 256 samples per minute, and a block of 256 threads computes the mean of one
// minute. The last minute may have fewer samples.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/06-integration2d/block-means.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int block = 256;

// Writes the mean of this block's samples to means[blockIdx.x].
__global__ void mean_of_block(int n, const float *samples, float *means) {
  __shared__ float shared[block];
  const int t = threadIdx.x, i = blockIdx.x * block + t;
  shared[t] = NAN; // if TODO 1 leaves out an element, the mean is NaN

  // TODO 1: write to shared[t]; what if this thread has no sample?
  // TODO end

  __syncthreads();
  for (int half = block / 2; half > 0; half /= 2) {
    // TODO 2: add half to half; where is the barrier?
    // TODO end
  }

  __syncthreads(); // every thread must reach this barrier
  if (t == 0)
    means[blockIdx.x] = shared[0] / min(block, n - i);
}

void block_means(int n, const float *samples, float *means) {
  const int blocks = (n + block - 1) / block;
  float *d_samples = nullptr, *d_means = nullptr;
  CUDA_CHECK(cudaMalloc(&d_samples, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_means, blocks * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_samples, samples, n * sizeof(float), cudaMemcpyHostToDevice));
  mean_of_block<<<blocks, block>>>(n, d_samples, d_means);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(means, d_means, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_samples));
  CUDA_CHECK(cudaFree(d_means));
}

int main() {
  course::print_device();
  const int n = 1000; // three minutes and 232 samples
  std::vector<float> samples(n), means((n + block - 1) / block);
  std::vector<double> expected(means.size());
  for (int i = 0; i < n; ++i) {
    samples[i] = 20 + i * 37 % 101 / 8.0f;
    expected[i / block] += samples[i] / std::min(block, n - i / block * block);
  }
  block_means(n, samples.data(), means.data());
  for (float mean : means)
    std::printf("mean of a minute: %.3f\n", mean);
  return course::verdict(course::verify(
      "means", means.data(), means.size(), [&](size_t b) { return expected[b]; }, 1e-6));
}
