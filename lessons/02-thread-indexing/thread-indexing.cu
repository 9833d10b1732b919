// Lesson 02: which thread works on which element.
//
// Build: nvcc -O3 -std=c++17 lessons/02-thread-indexing/thread-indexing.cu -o thread-indexing
// Run:   ./thread-indexing [width height]
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

// If a CUDA call has failed, prints the reason and ends the program.
void check(cudaError_t status) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
  }
}

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
  check(cudaMalloc(&d_array, n * sizeof(int)));
  check(cudaMemset(d_array, 0xFF, n * sizeof(int))); // every byte is 0xFF: -1
  return d_array;
}

// Copies n integers from the device and frees them there.
std::vector<int> copy_back_and_free(int *d_array, int n) {
  std::vector<int> array(n);
  check(cudaMemcpy(array.data(), d_array, n * sizeof(int), cudaMemcpyDeviceToHost));
  check(cudaFree(d_array));
  return array;
}

// Prints the thread of each pixel, with a gap between blocks. Returns how many are wrong.
int print_threads(const std::vector<int> &image, int width, int height, dim3 block) {
  int wrong = 0;
  for (int row = 0; row < height; ++row) {
    std::printf("  ");
    for (int col = 0; col < width; ++col) {
      const int thread = image[row * width + col];
      std::printf("%s%2d", col % block.x == 0 ? "  " : " ", thread);
      if (thread != int((row % block.y) * block.x + (col % block.x)))
        ++wrong;
    }
    std::puts(row % block.y == block.y - 1 ? "\n" : "");
  }
  return wrong;
}

int main(int argc, char **argv) {
  const int width = argc == 3 ? std::atoi(argv[1]) : 20;
  const int height = argc == 3 ? std::atoi(argv[2]) : 6;
  if ((argc != 1 && argc != 3) || width < 1 || width > 40 || height < 1 || height > 40) {
    std::fprintf(stderr, "usage: %s [width height], two numbers from 1 to 40\n", argv[0]);
    return 2;
  }

  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  std::printf("device: %s, %d multiprocessors, %.1f GB\n", properties.name,
              properties.multiProcessorCount, 1e-9 * properties.totalGlobalMem);

  const int n = 10, threads = 4;
  const int blocks = (n + threads - 1) / threads; // rounded up
  int *d_array = allocate(n);
  number_blocks<<<blocks, threads>>>(d_array, n);
  check(cudaGetLastError());
  const std::vector<int> array = copy_back_and_free(d_array, n);

  std::printf("\n1. %d elements, %d blocks of %d threads. The block of each element:\n  ", n,
              blocks, threads);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    std::printf(" %2d", array[i]);
    if (array[i] != i / threads) // the reference divides where the kernel multiplies
      ++wrong;
  }

  // [launch]
  const dim3 block(8, 4);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  int *d_image = allocate(width * height);
  number_threads<<<grid, block>>>(d_image, width, height);
  check(cudaGetLastError());
  // [end]
  const std::vector<int> image = copy_back_and_free(d_image, width * height);

  std::printf(
      "\n\n2. %d x %d pixels, %u x %u blocks of %u x %u threads. The thread of each pixel:\n",
      width, height, grid.x, grid.y, block.x, block.y);
  wrong += print_threads(image, width, height, block);

  if (wrong > 0)
    std::printf("\n%d numbers are wrong", wrong);
  std::puts(wrong == 0 ? "\nPASS" : "\nFAIL");
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
