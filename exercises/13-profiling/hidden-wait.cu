// Exercise 13-profiling/hidden-wait: a bug hunt. An array is smoothed. The result is right, but the
// host waits in every round, although no line of the program synchronises.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/13-profiling/hidden-wait.cu -o hidden-wait
// Run:   ./hidden-wait
//
// See the waits: ./course --backend cpu profile hidden-wait

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/13-profiling/hidden-wait.hpp"

#include <utility>
#include <vector>

__global__ void smooth(int n, const float *now, float *next) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    next[i] = 0.5f * (now[i] + now[(i + 1) % n]);
}

void hidden_wait(int n, int rounds, float *values) {
  const size_t bytes = n * sizeof(float);
  float *d_now, *d_next;
  CUDA_CHECK(cudaMalloc(&d_now, bytes));
  CUDA_CHECK(cudaMemcpy(d_now, values, bytes, cudaMemcpyHostToDevice));

  // TODO 1: find the bug: which of these calls waits until the kernel has ended?
  for (int i = 0; i < rounds; ++i) {
    CUDA_CHECK(cudaMalloc(&d_next, bytes));
    smooth<<<(n + 255) / 256, 256>>>(n, d_now, d_next);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaFree(d_now));
    d_now = d_next;
  }
  // TODO end

  CUDA_CHECK(cudaMemcpy(values, d_now, bytes, cudaMemcpyDeviceToHost));

  // TODO 2: free the arrays that are still allocated
  CUDA_CHECK(cudaFree(d_now));
  // TODO end
}

int main() {
  course::print_device();
  const int n = course::problem_size(1'000'003, 10'007), rounds = 100;
  std::vector<float> values(n), expected(n), next(n);
  for (int i = 0; i < n; ++i)
    values[i] = expected[i] = i % 17;
  hidden_wait(n, rounds, values.data());
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < n; ++i)
      next[i] = 0.5f * (expected[i] + expected[(i + 1) % n]);
    std::swap(next, expected);
  }
  return course::verdict(
      course::verify("values", values.data(), n, [&](size_t i) { return expected[i]; }));
}
