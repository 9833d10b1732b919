// Lesson 02: which thread does which element: grid, block, thread, and the guard.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/02-thread-indexing/thread-indexing.cu -o thread-indexing
// Run:   ./thread-indexing [width height]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"

#include <cstdio>
#include <vector>

// Which block, and which thread of it, wrote an element.
struct Owner {
  int block, thread;
};

// One thread per element of a list.
// [list]
__global__ void own_list(Owner *list, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    list[i] = {int(blockIdx.x), int(threadIdx.x)};
}
// [end]

// One thread per pixel of an image, which is stored row after row.
// [image]
__global__ void own_image(Owner *image, int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < width && row < height)
    image[row * width + col] = {int(blockIdx.y * gridDim.x + blockIdx.x),
                                int(threadIdx.y * blockDim.x + threadIdx.x)};
}
// [end]

// Memory for `count` owners on the device, -1 each: an element that no thread writes is seen.
Owner *allocate(int count) {
  Owner *d_owners;
  CUDA_CHECK(cudaMalloc(&d_owners, count * sizeof(Owner)));
  CUDA_CHECK(cudaMemset(d_owners, -1, count * sizeof(Owner)));
  return d_owners;
}

// The owners of `count` elements, copied from the device; frees the memory there.
std::vector<Owner> collect(Owner *d_owners, int count) {
  std::vector<Owner> owners(count);
  CUDA_CHECK(cudaMemcpy(owners.data(), d_owners, count * sizeof(Owner), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_owners));
  return owners;
}

// Shows who owns a list of n elements. The check divides where the kernel multiplied.
bool show_list(int n, int block) {
  const int grid = (n + block - 1) / block; // rounded up
  Owner *d_list = allocate(n);
  own_list<<<grid, block>>>(d_list, n);
  CUDA_CHECK(cudaGetLastError());
  const std::vector<Owner> list = collect(d_list, n);

  std::printf("\n1. a list of %d elements, %d blocks of %d threads:\n   element ", n, grid, block);
  bool correct = true;
  for (int i = 0; i < n; ++i) {
    std::printf("%3d", i);
    correct = correct && list[i].block == i / block && list[i].thread == i % block;
  }
  std::printf("\n   block   ");
  for (const Owner &owner : list)
    std::printf("%3d", owner.block);
  std::printf("\n   thread  ");
  for (const Owner &owner : list)
    std::printf("%3d", owner.thread);
  std::printf("\n   %d threads have no element: the guard stops them\n", grid * block - n);
  return correct;
}

// The same for an image: a letter for each block, small in every second warp.
bool show_image(int width, int height) {
  const int block_width = 16, block_height = 4;
  // [launch]
  const dim3 block(block_width, block_height);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  Owner *d_image = allocate(width * height);
  own_image<<<grid, block>>>(d_image, width, height);
  CUDA_CHECK(cudaGetLastError());
  // [end]
  const std::vector<Owner> image = collect(d_image, width * height);

  std::printf("\n2. %d x %d pixels, %u x %u blocks of %u x %u threads; %u threads have no pixel\n",
              width, height, grid.x, grid.y, block.x, block.y,
              grid.x * block.x * grid.y * block.y - width * height);
  const int across = (width - 1) / block_width + 1; // blocks side by side
  bool correct = true;
  for (int row = 0; row < height; ++row) {
    std::printf("   ");
    for (int col = 0; col < width; ++col) {
      const Owner &owner = image[row * width + col];
      std::putchar((owner.thread / 32 % 2 ? 'a' : 'A') + owner.block % 26);
      correct = correct && owner.block == row / block_height * across + col / block_width &&
                owner.thread == row % block_height * block_width + col % block_width;
    }
    std::putchar('\n');
  }
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[width height]");
  const int width = course::count_argument(argc, argv, 1, "width", 71, 200);
  const int height = course::count_argument(argc, argv, 2, "height", 14, 100);
  course::print_device();

  bool correct = show_list(10, 4);
  correct = show_image(width, height) && correct;
  std::puts(correct ? "" : "   an element has another owner than it should");
  return course::verdict(correct);
}
