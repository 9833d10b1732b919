// expect: memcheck store
// An image of 33 x 17 pixels, blocks of 16 x 16, no guard.
#include "array.hpp"

__global__ void paint(int *image, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef FIXED
  if (x < width && y < height)
    image[y * width + x] = x + y;
#else
  if (y <= height && x < width)
    image[y * width + x] = x + y; // @store
#endif
}

int main() {
  int *image = array<int>(33 * 17);
  paint<<<dim3(3, 2), dim3(16, 16)>>>(image, 33, 17);
  return cudaDeviceSynchronize();
}
