// Lesson 04: how much work makes the trip worth it: the Mandelbrot set, by one kernel and by
// passes.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/04-mandelbrot/mandelbrot.cu -o mandelbrot
// Run:   ./mandelbrot [width max_steps]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/picture.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/04-mandelbrot/plane.hpp"

#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

// steps: how often z -> z^2 + c is applied, from z = 0, before |z| > 2; at most max_steps.
// [kernel]
__global__ void fused(int *steps, int width, int max_steps) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= width)
    return;
  const auto c = point<double>(col, row, width);
  Complex<double> z{0, 0}; // in registers, from the first step to the last
  int step = 0;
  while (step < max_steps && in_disc(z)) {
    z = next(z, c);
    ++step;
  }
  steps[row * width + col] = step; // the only access to memory
}
// [end]

// One step for all pixels, as an array library does it.
// [pass]
__global__ void one_step(Complex<double> *z, int *steps, int width) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= width)
    return;
  const int pixel = row * width + col;
  const auto old = z[pixel]; // from memory
  if (in_disc(old)) {
    z[pixel] = next(old, point<double>(col, row, width)); // and back
    ++steps[pixel];
  }
}
// [end]

// The picture: at most 1024 pixels wide, the set itself in black. z: the last of each pixel.
void write_mandelbrot(const std::vector<int> &steps, const std::vector<Complex<double>> &z,
                      int width, int max_steps) {
  const int shrink = (width + 1023) / 1024, side = width / shrink;
  std::vector<double> shades;
  for (int row = 0; row < side * shrink; row += shrink)
    for (int col = 0; col < side * shrink; col += shrink) {
      const int i = row * width + col;
      const double steps_there = smooth(steps[i], z[i], point<double>(col, row, width));
      shades.push_back(steps[i] < max_steps ? std::log2(steps_there) : NAN);
    }
  course::write_picture("mandelbrot.png", shades.data(), side, side, 0, std::log2(max_steps));
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[width max_steps]");
  course::print_device();
  const int width = course::count_argument(argc, argv, 1, "width", course::size(8192, 500), 16384);
  const int max_steps = course::count_argument(argc, argv, 2, "max_steps", course::size(1000, 200));
  const dim3 block(32, 4), grid((width + 31) / 32, (width + 3) / 4);
  const std::size_t pixels = std::size_t(width) * width, z_bytes = pixels * sizeof(Complex<double>);
  std::vector<int> steps(pixels), by_passes(pixels);
  std::vector<Complex<double>> z(pixels);
  int *d_steps;
  Complex<double> *d_z;
  CUDA_CHECK(cudaMalloc(&d_steps, pixels * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_z, z_bytes));

  const double fused_seconds = course::gpu_seconds(3, [&] {
    fused<<<grid, block>>>(d_steps, width, max_steps);
    CUDA_CHECK(cudaGetLastError());
  });
  CUDA_CHECK(cudaMemcpy(steps.data(), d_steps, pixels * sizeof(int), cudaMemcpyDeviceToHost));
  const double passes_seconds = course::gpu_seconds(1, [&] {
    CUDA_CHECK(cudaMemset(d_z, 0, z_bytes));
    CUDA_CHECK(cudaMemset(d_steps, 0, pixels * sizeof(int)));
    for (int step = 0; step < max_steps; ++step)
      one_step<<<grid, block>>>(d_z, d_steps, width);
    CUDA_CHECK(cudaGetLastError());
  });
  CUDA_CHECK(cudaMemcpy(by_passes.data(), d_steps, pixels * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(z.data(), d_z, z_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_steps));
  CUDA_CHECK(cudaFree(d_z));

  const double total = std::accumulate(steps.begin(), steps.end(), 0.0);
  // Each pass reads all z; each step writes one, and reads and writes its count.
  const double moved = 16.0 * pixels * max_steps + 24.0 * total;
  std::printf("%d x %d pixels, %.4g steps\n", width, width, total);
  course::figure("one kernel", 1e-9 * total / fused_seconds, "Gstep/s", 0, "", fused_seconds);
  course::figure("a kernel per step", 1e-9 * total / passes_seconds, "Gstep/s", 0, "",
                 passes_seconds);
  course::figure("  which move", 1e-9 * moved / passes_seconds, "GB/s");
  write_mandelbrot(steps, z, width, max_steps);
  const bool correct = verify_steps(steps, width, max_steps);
  return course::verdict(course::verify("steps by passes", by_passes.data(), pixels,
                                        [&](std::size_t i) { return steps[i]; }) &&
                         correct);
}
