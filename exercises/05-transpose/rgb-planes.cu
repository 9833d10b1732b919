// Exercise 05-transpose/rgb-planes: split a picture into its red, green and blue planes.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/05-transpose/rgb-planes.cu -o rgb-planes
// Run:   ./rgb-planes
//
// If each thread loaded the three values of its pixel, the lanes would have a stride of 3 floats.
// So a block loads its values in the order of memory, and reorders them in shared memory.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/05-transpose/rgb-planes.hpp"

#include <cstdio>
#include <vector>

constexpr int BLOCK = 256; // threads, and pixels

__global__ void split(int pixels, const float *rgb, float *planes) {
  __shared__ float numbers[3 * BLOCK];
  const int x = threadIdx.x, first = blockIdx.x * BLOCK; // first pixel of the block

  // TODO 1: load the block's values into shared memory; neighbouring threads, neighbouring floats
  // TODO end

  // TODO 2: when may a thread read what other threads have loaded?
  // TODO end

  // TODO 3: store this thread's pixel, if it has one, in the three planes
  // TODO end
}

void rgb_planes(int pixels, const float *rgb, float *planes) {
  const size_t bytes = size_t(3) * pixels * sizeof(float);
  float *d_rgb, *d_planes;
  CUDA_CHECK(cudaMalloc(&d_rgb, bytes));
  CUDA_CHECK(cudaMalloc(&d_planes, bytes));
  CUDA_CHECK(cudaMemcpy(d_rgb, rgb, bytes, cudaMemcpyHostToDevice));

  split<<<(pixels + BLOCK - 1) / BLOCK, BLOCK>>>(pixels, d_rgb, d_planes);
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(planes, d_planes, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_rgb));
  CUDA_CHECK(cudaFree(d_planes));
}

int main() {
  course::print_device();
  const int pixels = course::problem_size(4000 * 3000, 400 * 300) + 1;
  std::vector<float> rgb(3 * pixels), planes(3 * pixels, -1);
  for (int i = 0; i < 3 * pixels; ++i)
    rgb[i] = i % 1'000'003;
  rgb_planes(pixels, rgb.data(), planes.data());
  if (planes[1] != rgb[3] && planes[pixels - 1] != rgb[3 * pixels - 3]) {
    std::puts("no result yet: fill in TODO 1 to TODO 3");
    return 1;
  }
  return course::verdict(course::verify("planes", planes.data(), planes.size(), [&](size_t i) {
    return rgb[i % pixels * 3 + i / pixels];
  }));
}
