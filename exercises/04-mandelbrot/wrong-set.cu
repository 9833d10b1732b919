// Exercise 04-mandelbrot/wrong-set: a bug hunt. The picture is not the Mandelbrot set.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/04-mandelbrot/wrong-set.cu -o wrong-set
// Run:   ./wrong-set
//
// The picture should be symmetric about its middle row, with a large heart and a disc to its left,
// both drawn with '@'. Fix one bug at a time, and look at the picture after each fix.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/04-mandelbrot/wrong-set.hpp"

#include <complex>
#include <vector>

__global__ void escape(int *steps, int width, int height, double x0, double y0, double pixel,
                       int max_steps) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height)
    return;
  const double cx = x0 + col * pixel, cy = y0 + row * pixel;
  double x = 0, y = 0;
  int step = 0;
  while (step < max_steps) {
    // TODO 1: find the bug: when is |z| above 2?
    if (x * x + y * y > 2)
      break;
    // TODO end
    // TODO 2: find the bug: is this z^2 + c?
    x = x * x - y * y + cx;
    y = 2 * x * y + cy;
    // TODO end
    ++step;
  }
  steps[row * width + col] = step;
}

void wrong_set(int *steps, int width, int height, double x0, double y0, double pixel,
               int max_steps) {
  const size_t bytes = sizeof(int) * width * height;
  int *d_steps = nullptr;
  CUDA_CHECK(cudaMalloc(&d_steps, bytes));
  const dim3 block(32, 4);
  // TODO 3: find the bug: does every pixel have a thread?
  const dim3 grid((width + 31) / 32, (height + 31) / 32);
  // TODO end
  escape<<<grid, block>>>(d_steps, width, height, x0, y0, pixel, max_steps);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(steps, d_steps, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_steps));
}

int main() {
  course::print_device();
  const int width = 79, height = 61, max_steps = 20;
  const double x0 = -2.15, y0 = -1.2, pixel = 0.04;
  std::vector<int> steps(width * height);
  wrong_set(steps.data(), width, height, x0, y0, pixel, max_steps);
  for (int row = 0; row < height; row += 2) { // a letter is twice as tall as wide
    for (int col = 0; col < width; ++col) {
      const int step = steps[row * width + col];
      std::putchar(step < 1 || step > max_steps ? '?' : " .,:;ox%#&&&&&&&&&&@"[step - 1]);
    }
    std::putchar('\n');
  }
  return course::verdict(course::verify("steps", steps.data(), steps.size(), [&](size_t i) {
    std::complex<double> z = 0, c(x0 + i % width * pixel, y0 + i / width * pixel);
    int step = 0;
    for (; step < max_steps && std::abs(z) <= 2; ++step)
      z = z * z + c;
    return step;
  }));
}
