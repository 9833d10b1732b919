// Lesson 02: which thread works on which element.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/02-thread-indexing/thread-indexing.cu -o thread-indexing
// Run:   ./thread-indexing [width height]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"

#include <cstdio>
#include <vector>

// One thread per element of an array. Writes the index of the thread's block.
// [array]
__global__ void number_blocks(int *array, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    array[i] = blockIdx.x;
}
// [end]

// One thread per pixel of an image that is stored row by row. Writes the thread's index in its
// block.
// [image]
__global__ void number_threads(int *image, int width, int height) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < width && row < height)
    image[row * width + col] = threadIdx.y * blockDim.x + threadIdx.x;
}
// [end]

// Device memory for n integers. All are -1, so an element that no thread writes is detected.
int *allocate(int n) {
  int *d_array;
  CUDA_CHECK(cudaMalloc(&d_array, n * sizeof(int)));
  CUDA_CHECK(cudaMemset(d_array, 0xFF, n * sizeof(int))); // every byte is 0xFF: -1
  return d_array;
}

// Copies n integers from the device and frees them there.
std::vector<int> copy_back_and_free(int *d_array, int n) {
  std::vector<int> array(n);
  CUDA_CHECK(cudaMemcpy(array.data(), d_array, n * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_array));
  return array;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[width height]");
  const int width = course::count_argument(argc, argv, 1, "width", 20, 40);
  const int height = course::count_argument(argc, argv, 2, "height", 6, 40);
  course::print_device();

  const int n = 10, threads = 4;
  const int blocks = (n + threads - 1) / threads; // rounded up
  int *d_array = allocate(n);
  number_blocks<<<blocks, threads>>>(d_array, n);
  CUDA_CHECK(cudaGetLastError());
  const std::vector<int> array = copy_back_and_free(d_array, n);
  std::printf("\n1. %d elements, %d blocks of %d threads. The block of each element:\n  ", n,
              blocks, threads);
  for (int number : array)
    std::printf(" %2d", number);
  bool correct =
      course::verify("element", array.data(), n, [&](std::size_t i) { return i / threads; });

  // [launch]
  const dim3 block(8, 4);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  int *d_image = allocate(width * height);
  number_threads<<<grid, block>>>(d_image, width, height);
  CUDA_CHECK(cudaGetLastError());
  // [end]
  const std::vector<int> image = copy_back_and_free(d_image, width * height);
  std::printf(
      "\n\n2. %d x %d pixels, %u x %u blocks of %u x %u threads. The thread of each pixel:\n",
      width, height, grid.x, grid.y, block.x, block.y);
  for (int row = 0; row < height; ++row) {
    std::printf("  ");
    for (int col = 0; col < width; ++col)
      std::printf("%s%2d", col % block.x == 0 ? "  " : " ", image[row * width + col]);
    std::puts(row % block.y == block.y - 1 ? "\n" : "");
  }
  std::puts("");
  // The reference divides where the kernel multiplies.
  correct = course::verify("pixel", image.data(), image.size(),
                           [&](std::size_t i) {
                             return i / width % block.y * block.x + i % width % block.x;
                           }) &&
            correct;
  return course::verdict(correct);
}
