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

// One thread for each of the n elements of a list.
__global__ void own_list(Owner *list, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    list[i] = {int(blockIdx.x), int(threadIdx.x)}; // the last block reaches past the end
}

// One thread for each pixel of a width x height image, stored row after row. x runs along a row
// (col), y down the rows (row): neighbours in x are neighbours in memory.
__global__ void own_image(Owner *image, int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < width && row < height)
    image[row * width + col] = {int(blockIdx.y * gridDim.x + blockIdx.x),
                                int(threadIdx.y * blockDim.x + threadIdx.x)};
}

__global__ void nothing() {}

// Launches `nothing` and says what came of it; whether it was accepted or refused as expected.
bool try_launch(dim3 grid, dim3 block, bool expected) {
  nothing<<<grid, block>>>();
  const cudaError_t status = cudaGetLastError(); // not CUDA_CHECK: errors are the subject here
  CUDA_CHECK(cudaDeviceSynchronize());           // a refused launch does no harm to the device
  std::printf("   grid %5u x %5u x %u, block %4u x %2u x %2u = %4u threads: %s\n", grid.x, grid.y,
              grid.z, block.x, block.y, block.z, block.x * block.y * block.z,
              status == cudaSuccess ? "runs" : cudaGetErrorName(status));
  return (status == cudaSuccess) == expected;
}

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

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[width height]");
  const int width = course::count_argument(argc, argv, 1, "width", 71, 200);
  const int height = course::count_argument(argc, argv, 2, "height", 14, 100);
  course::print_device();

  // 1. A list: enough blocks that each element has a thread. The division rounds up.
  const int n = 10, list_block = 4;
  const int list_grid = (n + list_block - 1) / list_block;
  Owner *d_list = allocate(n);
  own_list<<<list_grid, list_block>>>(d_list, n);
  CUDA_CHECK(cudaGetLastError());
  const std::vector<Owner> list = collect(d_list, n);

  std::printf("\n1. a list of %d elements, %d blocks of %d threads:\n   element ", n, list_grid,
              list_block);
  for (int i = 0; i < n; ++i)
    std::printf("%3d", i);
  std::printf("\n   block   ");
  for (const Owner &owner : list)
    std::printf("%3d", owner.block);
  std::printf("\n   thread  ");
  for (const Owner &owner : list)
    std::printf("%3d", owner.thread);
  std::printf("\n   %d threads have no element: the guard stops them\n",
              list_grid * list_block - n);

  // 2. An image: two dimensions of blocks of two dimensions of threads. Its picture has a letter
  //    for each block, small in every second warp of 32 threads.
  const int block_width = 16, block_height = 4;
  const dim3 block(block_width, block_height);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  Owner *d_image = allocate(width * height);
  own_image<<<grid, block>>>(d_image, width, height);
  CUDA_CHECK(cudaGetLastError());
  const std::vector<Owner> image = collect(d_image, width * height);

  std::printf("\n2. %d x %d pixels, %u x %u blocks of %u x %u threads; %u threads have no pixel\n",
              width, height, grid.x, grid.y, block.x, block.y,
              grid.x * block.x * grid.y * block.y - width * height);
  for (int row = 0; row < height; ++row) {
    std::printf("   ");
    for (int col = 0; col < width; ++col) {
      const Owner &owner = image[row * width + col];
      std::putchar((owner.thread / 32 % 2 ? 'a' : 'A') + owner.block % 26);
    }
    std::putchar('\n');
  }

  // 3. Check: divide where the kernels multiplied.
  bool correct = true;
  for (int i = 0; i < n; ++i)
    correct = correct && list[i].block == i / list_block && list[i].thread == i % list_block;
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      const Owner &owner = image[row * width + col];
      const int across = (width - 1) / block_width + 1; // blocks side by side
      correct = correct && owner.block == row / block_height * across + col / block_width &&
                owner.thread == row % block_height * block_width + col % block_width;
    }
  if (!correct)
    std::puts("   an element has another owner than it should");

  // 4. What a launch may be: a refused one says so only through cudaGetLastError.
  std::puts("\n4. limits:");
  correct = try_launch(1, 1024, true) && correct;
  correct = try_launch(1, 1025, false) && correct;
  correct = try_launch(1, dim3(32, 32), true) && correct;
  correct = try_launch(1, dim3(33, 32), false) && correct;
  correct = try_launch(1, dim3(1, 1, 65), false) && correct;
  correct = try_launch(dim3(70000, 1), 1, true) && correct;
  correct = try_launch(dim3(1, 70000), 1, false) && correct;
  correct = try_launch(0, 32, false) && correct;

  std::puts("");
  return course::verdict(correct);
}
