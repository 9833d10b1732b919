// Exercise 06-integration2d/digits: six correct digits with float.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/06-integration2d/digits.cu -o digits
// Run:   ./digits
//
// A float has 24 binary digits, about seven decimal ones. If a small number is added to a large
// sum, its last digits are lost. Many GPUs add doubles 64 times more slowly than floats, so use
// only float, and keep six digits.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/06-integration2d/digits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

// Writes the sum of power[t], power[t + threads], power[t + 2 * threads], ... to sums[t].
__global__ void sums_of_threads(int n, const float *power, int threads, float *sums) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= threads)
    return;
  float sum = 0;
  // TODO 1: this sum loses digits: keep them
  float lost = 0; // rounding error of the last addition (Kahan)
  for (int i = t; i < n; i += threads) {
    const float value = power[i] - lost, next = sum + value;
    lost = (next - sum) - value;
    sum = next;
  }
  // TODO end
  sums[t] = sum;
}

float digits(int n, float h, const float *power, int threads) {
  float *d_power = nullptr, *d_sums = nullptr;
  CUDA_CHECK(cudaMalloc(&d_power, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_sums, threads * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_power, power, n * sizeof(float), cudaMemcpyHostToDevice));
  sums_of_threads<<<(threads + 127) / 128, 128>>>(n, d_power, threads, d_sums);
  CUDA_CHECK(cudaGetLastError());
  std::vector<float> sums(threads);
  CUDA_CHECK(cudaMemcpy(sums.data(), d_sums, threads * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_power));
  CUDA_CHECK(cudaFree(d_sums));

  float sum = 0;
  // TODO 2: this sum loses digits as well
  for (int count = threads; count > 1; count = (count + 1) / 2) // pairwise
    for (int t = 0; t < count / 2; ++t)
      sums[t] += sums[t + (count + 1) / 2];
  sum = sums[0];
  // TODO end
  return h * sum;
}

int main() {
  course::print_device();
  // A heater with about 1.1 kW, for 20 minutes.
  const int n = 1'200'000;
  const float h = 0.001f;
  std::vector<float> power(n);
  double exact = 0;
  for (int i = 0; i < n; ++i) {
    power[i] = 1100.1f + 0.01f * (i % 7);
    exact += double(h) * power[i];
  }

  bool correct = true;
  const int counts[] = {1, 100, 10'000, n};
  for (int threads : counts) {
    const float energy = digits(n, h, power.data(), threads);
    const double error = std::abs(energy - exact) / exact;
    std::printf("%7d threads: %.1f J, relative error %.1e\n", threads, energy, error);
    correct = course::verify_value("energy", energy, exact, 1e-6) && correct;
  }
  std::printf("exact:           %.1f J; the relative error must be at most 1.0e-06\n", exact);
  return course::verdict(correct);
}
