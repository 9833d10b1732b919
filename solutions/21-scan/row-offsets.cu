// Exercise 21-scan/row-offsets: where does each row of a sparse matrix begin?
//
// Build: nvcc -O3 -std=c++17 -I. exercises/21-scan/row-offsets.cu -o row-offsets
// Run:   ./row-offsets

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/21-scan/row-offsets.hpp"

#include <cstdio>
#include <vector>

constexpr int block = 256, warps = block / 32;

__device__ long long warp_scan(long long x) {
  const int lane = threadIdx.x % 32;
  // TODO 1: add up with shuffles, so that x becomes the sum of lanes 0 to this one
  for (int step = 1; step < 32; step *= 2) {
    const long long left = __shfl_up_sync(0xffffffff, x, step);
    if (lane >= step)
      x += left;
  }
  // TODO end
  return x;
}

// One block goes through all rows, 256 at a time.
__global__ void scan_counts(int rows, const int *counts, long long *offsets) {
  __shared__ long long sums[warps];
  const int t = threadIdx.x, warp = t / 32;
  long long carry = 0; // the sum of all rows of earlier rounds
  for (int first = 0; first < rows; first += block) {
    const int row = first + t;
    long long x = warp_scan(row < rows ? counts[row] : 0);
    if (t % 32 == 31)
      sums[warp] = x;
    __syncthreads();
    // TODO 2: add the sum of all earlier rounds and warps to x; update the carry for the next
    x += carry;
    for (int w = 0; w < warps; ++w) {
      x += w < warp ? sums[w] : 0;
      carry += sums[w];
    }
    // TODO end
    // TODO 3: which offset is x? And which thread writes offsets[0]?
    if (row < rows)
      offsets[row + 1] = x;
    if (row == 0)
      offsets[0] = 0;
    // TODO end
    __syncthreads(); // all threads have read the sums
  }
}

void row_offsets(int rows, const int *counts, long long *offsets) {
  int *d_counts = nullptr;
  long long *d_offsets = nullptr;
  const size_t bytes = (rows + 1) * sizeof(long long);
  CUDA_CHECK(cudaMalloc(&d_counts, rows * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_offsets, bytes));
  CUDA_CHECK(cudaMemcpy(d_counts, counts, rows * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_offsets, 0xFF, bytes)); // -1 if no thread writes it
  scan_counts<<<1, block>>>(rows, d_counts, d_offsets);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(offsets, d_offsets, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_counts));
  CUDA_CHECK(cudaFree(d_offsets));
}

int main() {
  course::print_device();
  const int rows = course::problem_size(1'000'003, 10'007);
  std::vector<int> counts(rows);
  std::vector<long long> offsets(rows + 1), expected(rows + 1);
  for (int r = 0; r < rows; ++r) {
    counts[r] = r * 7919LL % 10'007;
    expected[r + 1] = expected[r] + counts[r];
  }
  row_offsets(rows, counts.data(), offsets.data());
  if (offsets[rows] == -1) {
    std::puts("no result yet: fill in TODO 1 to TODO 3");
    return 1;
  }
  return course::verdict(course::verify("offsets", offsets.data(), offsets.size(),
                                        [&](size_t r) { return double(expected[r]); }));
}
