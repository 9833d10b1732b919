// Exercise 07-reduction/hottest: the hottest cell of a plate and its index.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/07-reduction/hottest.cu -o hottest
// Run:   ./hottest

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/07-reduction/hottest.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int block = 256;

// The hotter of two cells; if both are equally hot, the one with the lower index.
__host__ __device__ Hottest hotter(Hottest a, Hottest b) {
  // TODO 1: return a or b
  return b.degrees > a.degrees || (b.degrees == a.degrees && b.cell < a.cell) ? b : a;
  // TODO end
}

// The pair that changes nothing: hotter(nothing(), a) is a, whatever a is.
__host__ __device__ Hottest nothing() {
  // TODO 2: which pair loses against every cell?
  return {-INFINITY, INT_MAX};
  // TODO end
}

// The hottest cell of a warp, in lane 0.
__device__ Hottest hottest_of_warp(Hottest mine) {
  // TODO 3: move both numbers of the pair with shuffles
  for (int half = 16; half > 0; half /= 2)
    mine = hotter(mine, {__shfl_down_sync(0xffffffff, mine.degrees, half),
                         __shfl_down_sync(0xffffffff, mine.cell, half)});
  // TODO end
  return mine;
}

__global__ void hottest_of_blocks(int n, const float *degrees, Hottest *out) {
  __shared__ Hottest warps[block / 32];
  const int lane = threadIdx.x % 32;
  Hottest mine = nothing();

  // TODO 4: find the hottest of this thread's cells, in a grid-stride loop
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += gridDim.x * block)
    mine = hotter(mine, {degrees[i], i});
  // TODO end

  mine = hottest_of_warp(mine);
  if (lane == 0)
    warps[threadIdx.x / 32] = mine;
  __syncthreads();
  mine = hottest_of_warp(lane < block / 32 ? warps[lane] : nothing());
  if (threadIdx.x == 0)
    out[blockIdx.x] = mine;
}

Hottest hottest(int n, const float *degrees) {
  const int blocks = std::min((n + block - 1) / block, 8 * course::multiprocessors());
  float *d_degrees = nullptr;
  Hottest *d_out = nullptr;
  CUDA_CHECK(cudaMalloc(&d_degrees, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, blocks * sizeof(Hottest)));
  CUDA_CHECK(cudaMemcpy(d_degrees, degrees, n * sizeof(float), cudaMemcpyHostToDevice));
  hottest_of_blocks<<<blocks, block>>>(n, d_degrees, d_out);
  CUDA_CHECK(cudaGetLastError());

  // The results of the blocks are too few for another launch.
  std::vector<Hottest> out(blocks);
  CUDA_CHECK(cudaMemcpy(out.data(), d_out, blocks * sizeof(Hottest), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_degrees));
  CUDA_CHECK(cudaFree(d_out));
  Hottest result = nothing();
  for (const Hottest &one : out)
    result = hotter(result, one);
  return result;
}

int main() {
  course::print_device();
  const int n = 1'000'003;
  std::vector<float> degrees(n);
  for (int i = 0; i < n; ++i) // a winter's day: from -40.9 to -1
    degrees[i] = -1 - 0.1f * (i * 7919LL % 400);
  const auto first = std::max_element(degrees.begin(), degrees.end());

  const Hottest found = hottest(n, degrees.data());
  std::printf("hottest: cell %d with %.1f degrees\n", found.cell, found.degrees);
  if (found.degrees == 0) {
    std::puts(
        "no cell has 0 degrees: fill in TODO 1 to TODO 4. Does the initial pair of TODO 2 win?");
    return 1;
  }
  const int cell = int(first - degrees.begin());
  bool correct = course::verify_value("degrees", found.degrees, *first);
  correct = course::verify_value("cell", found.cell, cell) && correct;
  return course::verdict(correct);
}
