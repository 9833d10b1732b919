// Exercise 02-thread-indexing/ownership: which block owns which pixel?
//
// Build: nvcc -O3 -std=c++17 -I. exercises/02-thread-indexing/ownership.cu -o ownership
// Run:   ./ownership
//
// The last blocks of each row and column reach past the edge of the image.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/02-thread-indexing/ownership.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void mark(int *owner, int width, int height) {
  // TODO 1: which pixel does this thread write? x counts columns, y counts rows
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  // TODO end

  // TODO 2: is that pixel in the image?
  const bool inside = col < width && row < height;
  // TODO end

  // TODO 3: what is the index of this thread's block?
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  // TODO end

  if (inside)
    owner[row * width + col] = block;
}

void ownership(int *owner, int width, int height, int block_width, int block_height) {
  const size_t bytes = sizeof(int) * width * height;
  int *d_owner = nullptr;
  CUDA_CHECK(cudaMalloc(&d_owner, bytes));
  CUDA_CHECK(cudaMemset(d_owner, 0xFF, bytes)); // every int is -1: no owner

  const dim3 block(block_width, block_height);
  // TODO 4: how many blocks cover the image in x and in y?
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  // TODO end
  mark<<<grid, block>>>(d_owner, width, height);
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(owner, d_owner, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_owner));
}

int main() {
  course::print_device();
  const int width = 70, height = 14, block_width = 16, block_height = 4;
  std::vector<int> owner(width * height);
  ownership(owner.data(), width, height, block_width, block_height);

  // One letter per block, a dot for a pixel without an owner.
  for (int i = 0; i < width * height; ++i) {
    std::putchar(owner[i] < 0 ? '.' : owner[i] < 26 ? 'A' + owner[i] : '?');
    if (i % width == width - 1)
      std::putchar('\n');
  }
  if (*std::max_element(owner.begin(), owner.end()) < 0) {
    std::puts("no result yet: fill in TODO 1 to TODO 4");
    return 1;
  }
  // Five blocks of 16 columns cover 70; pixel i is in row i / 70.
  return course::verdict(course::verify("owner", owner.data(), owner.size(),
                                        [](size_t i) { return i / 70 / 4 * 5 + i % 70 / 16; }));
}
