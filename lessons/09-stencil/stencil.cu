// Lesson 09: a stencil. Heat spreads over a plate, step by step, until it hardly changes.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. lessons/09-stencil/stencil.cu -o stencil
// Run:   ./stencil [nx ny]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/picture.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

// One Jacobi step: every inner cell becomes the mean of its four neighbours.
// [step]
__global__ void step(const double *now, double *next, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
    const int i = y * nx + x;
    next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
  }
}
// [end]

// Adds the squares of all changes to *squares.
// [squares]
__global__ void add_squares(const double *now, const double *next, int cells, double *squares) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double change = i < cells ? next[i] - now[i] : 0;
  double sum = change * change;
  for (int half = 16; half > 0; half /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, half);
  if (threadIdx.x % 32 == 0)
    atomicAdd(squares, sum);
}
// [end]

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[nx ny]");
  course::print_device();
  const int nx = course::count_argument(argc, argv, 1, "nx", 81, 400, 3);
  const int ny = course::count_argument(argc, argv, 2, "ny", 49, 400, 3), cells = nx * ny;
  const double k = 2 * std::acos(-1.0) / (ny - 1), c = std::acosh(2 - std::cos(k)), w = nx - 1;
  std::vector<double> start(cells), now(cells), steady(cells);
  for (int i = 0; i < cells; ++i) {
    const int x = i % nx, y = i / nx; // in `steady` every cell is the mean of its neighbours
    steady[i] = std::sin(k * y) * std::cosh(c * (x - w / 2)) / std::cosh(c * w / 2);
    start[i] = x == 0 || x == nx - 1 || y == 0 || y == ny - 1 ? steady[i] : 0;
  }
  double *d_now, *d_next, *d_squares, squares;
  for (double **memory : {&d_now, &d_next, &d_squares})
    CUDA_CHECK(cudaMalloc(memory, cells * sizeof(double)));
  const dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
  bool correct = true;
  std::printf("%d x %d cells; the residual is computed in every N-th step\n\n", nx, ny);
  std::puts("    N     steps      residual   largest error          time");
  const auto run = [&](double tolerance, int every) {
    for (double *field : {d_now, d_next}) // both, because no step writes the edge
      CUDA_CHECK(cudaMemcpy(field, start.data(), cells * sizeof(double), cudaMemcpyHostToDevice));
    double residual = INFINITY, largest = 0;
    int steps = 0;
    const course::Timer clock;
    // [loop]
    while (!(residual <= tolerance) && steps < 1'000'000) {
      step<<<grid, block>>>(d_now, d_next, nx, ny);
      CUDA_CHECK(cudaGetLastError());
      if (++steps % every == 0) {
        CUDA_CHECK(cudaMemset(d_squares, 0, sizeof squares));
        add_squares<<<(cells + 255) / 256, 256>>>(d_now, d_next, cells, d_squares);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(&squares, d_squares, sizeof squares, cudaMemcpyDeviceToHost));
        residual = std::sqrt(squares);
      }
      std::swap(d_now, d_next); // now d_now is the newest field
    }
    // [end]
    const double ms = 1e3 * clock.seconds();
    CUDA_CHECK(cudaMemcpy(now.data(), d_now, cells * sizeof(double), cudaMemcpyDeviceToHost));
    for (int i = 0; i < cells; ++i) {
      correct = correct && std::abs(now[i] - steady[i]) < 100 * tolerance; // false for NaN
      largest = std::fmax(largest, std::abs(now[i] - steady[i]));
    }
    std::printf("%5d %9d %13.2e %15.2e %10.3f ms\n", every, steps, residual, largest, ms);
  };
  for (double tolerance : {1e-2, 1e-4, 1e-6})
    run(tolerance, 1);
  run(1e-6, 100);
  course::write_picture("stencil.png", now.data(), nx, ny, -1, 1, 8);
  for (double *memory : {d_now, d_next, d_squares})
    CUDA_CHECK(cudaFree(memory));
  return course::verdict(correct);
}
