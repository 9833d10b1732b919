// Lesson 13: a correct but slow program. It is slow for three reasons, which a profiler shows.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/13-profiling/profiling.cu -o profiling
// Run:   ./profiling [nx ny [steps]]
//
// Heaters warm a plate of ny rows and nx columns. The cells on its edge stay at 0 degrees.
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cstddef>
#include <cstdio>
#include <nvtx3/nvToolsExt.h>
#include <utility>
#include <vector>

constexpr int HEATERS = 64; // in row 1
int cell_of(int k, int nx) { return nx + 1 + k * (nx - 2) / HEATERS; }

__global__ void heat(float *field, int cell) { field[cell] = 100; }

// [step]
__global__ void step(const float *now, float *next, int nx, int ny) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = y * nx + x;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
    next[i] = 0.25f * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
}
// [end]

// Stores the mean temperature after each step in `means`. `field` is host memory for one plate.
void simulate(float *d_now, float *d_next, float *field, int nx, int ny, int steps, double *means) {
  const dim3 block(32, 8), grid((ny + 31) / 32, (nx + 7) / 8);
  // [loop]
  for (int i = 0; i < steps; ++i) {
    nvtxRangePush("heaters");
    for (int k = 0; k < HEATERS; ++k)
      heat<<<1, 1>>>(d_now, cell_of(k, nx));
    nvtxRangePop();
    nvtxRangePush("step");
    step<<<grid, block>>>(d_now, d_next, nx, ny);
    CUDA_CHECK(cudaGetLastError());
    nvtxRangePop();
    nvtxRangePush("mean temperature");
    CUDA_CHECK(cudaMemcpy(field, d_next, nx * ny * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int cell = 0; cell < nx * ny; ++cell)
      sum += field[cell];
    means[i] = sum / (nx * ny);
    nvtxRangePop();
    std::swap(d_now, d_next);
  }
  // [end]
}

// The same on the host alone.
void reference(float *now, float *next, int nx, int ny, int steps, double *means) {
  for (int i = 0; i < steps; ++i, std::swap(now, next)) {
    for (int k = 0; k < HEATERS; ++k)
      now[cell_of(k, nx)] = 100;
    double sum = 0;
    for (int c = nx; c < nx * (ny - 1); ++c)
      if (c % nx > 0 && c % nx < nx - 1)
        sum += next[c] = 0.25f * (now[c - 1] + now[c + 1] + now[c - nx] + now[c + nx]);
    means[i] = sum / (nx * ny);
  }
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 3, "[nx ny [steps]]");
  course::print_device();
  const int nx =
      course::count_argument(argc, argv, 1, "nx", course::problem_size(4003, 403), 20'000, 3);
  const int ny =
      course::count_argument(argc, argv, 2, "ny", course::problem_size(3001, 301), 20'000, 3);
  const int steps = course::count_argument(argc, argv, 3, "steps", 20, 1000);

  std::vector<float> now(nx * ny), next(nx * ny);
  std::vector<double> means(1 + steps), expected(1 + steps);
  reference(now.data(), next.data(), nx, ny, 1 + steps, expected.data());

  const course::Buffer<float> d_now(nx * ny), d_next(nx * ny);
  CUDA_CHECK(cudaMemset(d_now.data(), 0, d_now.bytes()));
  CUDA_CHECK(cudaMemset(d_next.data(), 0, d_next.bytes()));
  simulate(d_now.data(), d_next.data(), now.data(), nx, ny, 1, &means[0]); // not timed

  const course::Timer timer;
  simulate(d_next.data(), d_now.data(), now.data(), nx, ny, steps, &means[1]);
  std::printf("%d x %d cells: %.3f ms per step\n", nx, ny, 1e3 * timer.seconds() / steps);
  return course::verdict(course::verify("mean", means.data(), means.size(),
                                        [&](std::size_t i) { return expected[i]; }));
}
