// Exercise 21-scan/in-place: a bug hunt. Running sums that are right by luck.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/21-scan/in-place.cu -o in-place
// Run:   ./in-place
//
// A block computes its running sums in one array of shared memory. One barrier is missing.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/21-scan/in-place.hpp"

#include <vector>

__global__ void scan_blocks(int n, const int *in, int *out) {
  __shared__ int x[1024];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  x[t] = i < n ? in[i] : 0;
  __syncthreads();

  // TODO 1: find the bug: when may a thread overwrite x[t], which another thread reads?
  for (int step = 1; step < int(blockDim.x); step *= 2) {
    const int left = t >= step ? x[t - step] : 0;
    __syncthreads(); // all threads have read
    x[t] += left;
    __syncthreads(); // all threads have written
  }
  // TODO end

  if (i < n)
    out[i] = x[t];
}

void in_place(int n, const int *x, int *sums, int block) {
  int *d_x = nullptr, *d_sums = nullptr;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_sums, n * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_x, x, n * sizeof(int), cudaMemcpyHostToDevice));
  scan_blocks<<<(n + block - 1) / block, block>>>(n, d_x, d_sums);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(sums, d_sums, n * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_sums));
}

int main() {
  course::print_device();
  const int n = 100'003;
  std::vector<int> x(n), sums(n), expected(n);
  for (int i = 0; i < n; ++i)
    x[i] = i * 7919LL % 1000;

  bool correct = true;
  for (int block : {32, 256, 1024}) {
    for (int i = 0; i < n; ++i)
      expected[i] = x[i] + (i % block > 0 ? expected[i - 1] : 0);
    in_place(n, x.data(), sums.data(), block);
    correct =
        course::verify("sums", sums.data(), n, [&](size_t k) { return expected[k]; }) && correct;
  }
  return course::verdict(correct);
}
