// Exercise 02-thread-indexing/stripes: a bug hunt. Each bug has its own picture.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/02-thread-indexing/stripes.cu -o stripes
// Run:   ./stripes
//
// The picture should be full of slanted stripes of equal width, from edge to edge. A dot is a pixel
// that no thread wrote. Fix TODO 4 first: then the program reports what is wrong with TODO 2. Then
// fix one bug at a time, and look at the picture.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/02-thread-indexing/stripes.hpp"

#include <vector>

__global__ void paint(int *image, int width, int height, int stripe) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height)
    return;
  const int colour = (col + 2 * row) / stripe % 3;
  // TODO 1: find the bug: what is the index of pixel (row, col)?
  image[row * width + col] = colour;
  // TODO end
}

void stripes(int *image, int width, int height, int stripe) {
  const size_t bytes = sizeof(int) * width * height;
  int *d_image = nullptr;
  CUDA_CHECK(cudaMalloc(&d_image, bytes));
  CUDA_CHECK(cudaMemset(d_image, 0xFF, bytes)); // every int is -1: not written

  // TODO 2: find the bug: may a block have so many threads?
  const dim3 block(32, 8);
  // TODO end

  // TODO 3: find the bug: does the grid reach both edges?
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  // TODO end

  // TODO 4: find the bug: what detects a launch that fails?
  paint<<<grid, block>>>(d_image, width, height, stripe);
  CUDA_CHECK(cudaGetLastError());
  // TODO end

  CUDA_CHECK(cudaMemcpy(image, d_image, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_image));
}

int main() {
  course::print_device();
  const int width = 75, height = 37, stripe = 5;
  std::vector<int> image(width * height);
  stripes(image.data(), width, height, stripe);

  for (int row = 0; row < height; ++row) {
    for (int col = 0; col < width; ++col) {
      const int colour = image[row * width + col];
      std::putchar(colour >= 0 && colour < 3 ? " +#"[colour] : '.');
    }
    std::putchar('\n');
  }
  return course::verdict(course::verify("pixel", image.data(), image.size(), [&](size_t i) {
    return (i % width + 2 * (i / width)) / stripe % 3;
  }));
}
