// Exercise 07-reduction/norm: the norm of a difference, in one launch.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/07-reduction/norm.cu -o norm
// Run:   ./norm
//
// Your heat solver will call it after every step. The last block to finish adds the sums of all
// blocks, so one launch is enough.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/07-reduction/norm.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace { // hidden from other programs that use norm()

constexpr int block = 256;

// The sum of x over the block, in thread 0. Two calls in one kernel need a barrier between them.
__device__ double block_sum(double x) {
  __shared__ double warps[block / 32];
  const int lane = threadIdx.x % 32;
  for (int half = 16; half > 0; half /= 2)
    x += __shfl_down_sync(0xffffffff, x, half);
  if (lane == 0)
    warps[threadIdx.x / 32] = x;
  __syncthreads();
  x = lane < block / 32 ? warps[lane] : 0;
  for (int half = 16; half > 0; half /= 2)
    x += __shfl_down_sync(0xffffffff, x, half);
  return x;
}

__device__ unsigned blocks_done; // 0 when the program begins

// sums: one number per block.
__global__ void norm_kernel(const float *a, const float *b, int n, double *sums, double *result) {
  __shared__ bool last;
  double x = 0;

  // TODO 1: add this thread's squares in double
  // TODO end

  x = block_sum(x);

  // TODO 2: thread 0 writes the block's sum, then finds out whether its block is the last
  if (threadIdx.x == 0)
    last = false;
  // TODO end

  __syncthreads();
  if (!last)
    return;

  // TODO 3: the last block adds all sums, and thread 0 writes the norm
  // TODO end

  // TODO 4: which value does the next launch need?
  // TODO end
}

} // namespace

double norm(const float *a, const float *b, int n) {
  const int blocks = std::min((n + block - 1) / block, 8 * course::multiprocessors());
  const size_t bytes = n * sizeof(float);
  float *d_a = nullptr, *d_b = nullptr;
  double *d_sums = nullptr, *d_norm = nullptr, result = 0;
  CUDA_CHECK(cudaMalloc(&d_a, bytes));
  CUDA_CHECK(cudaMalloc(&d_b, bytes));
  CUDA_CHECK(cudaMalloc(&d_sums, blocks * sizeof(double)));
  CUDA_CHECK(cudaMalloc(&d_norm, sizeof(double)));
  CUDA_CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_norm, 0xFF, sizeof(double))); // NaN if no thread writes it
  norm_kernel<<<blocks, block>>>(d_a, d_b, n, d_sums, d_norm);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(&result, d_norm, sizeof result, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_sums));
  CUDA_CHECK(cudaFree(d_norm));
  return result;
}

int main() {
  course::print_device();
  bool correct = true, written = false;
  for (int n : {1'000'003, 3, 300'000}) { // does each call leave the counter at 0?
    std::vector<float> a(n), b(n);
    double squares = 0;
    for (int i = 0; i < n; ++i) {
      a[i] = 0.25f * (i * 7919LL % 1000);
      b[i] = 0.5f * (i % 77);
      squares += (double(a[i]) - b[i]) * (double(a[i]) - b[i]);
    }
    const double found = norm(a.data(), b.data(), n);
    std::printf("norm of %d differences: %.12g\n", n, found);
    written = written || !std::isnan(found);
    correct = course::verify_value("norm", found, std::sqrt(squares), 1e-10) && correct;
  }
  if (!written) {
    std::puts("no result yet: fill in TODO 1 to TODO 4");
    return 1;
  }
  return course::verdict(correct);
}
