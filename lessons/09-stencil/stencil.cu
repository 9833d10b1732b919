// Lesson 09: a stencil. Heat spreads over a plate, step by step, until it hardly changes.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. lessons/09-stencil/stencil.cu -o stencil
// Run:   ./stencil [nx ny]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
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

// ny rows of nx temperatures: at the start, and in the steady state.
struct Plate {
  int nx, ny;
  std::vector<double> start, steady;
};

// In `steady`, every inner cell is the mean of its four neighbours. `start` has the same edge, and
// its inner cells are 0.
Plate plate_of(int nx, int ny) {
  Plate plate{nx, ny, std::vector<double>(nx * ny), std::vector<double>(nx * ny)};
  const double pi = std::acos(-1.0);
  const double k = 2 * pi / (ny - 1), c = std::acosh(2 - std::cos(k)), width = nx - 1;
  for (int i = 0; i < nx * ny; ++i) {
    const int x = i % nx, y = i / nx;
    const bool edge = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
    plate.steady[i] = std::sin(k * y) * std::cosh(c * (x - width / 2)) / std::cosh(c * width / 2);
    plate.start[i] = edge ? plate.steady[i] : 0;
  }
  return plate;
}

struct Result {
  std::vector<double> cells;
  int steps;
  double residual, seconds;
};

// Computes steps until the residual is at most `tolerance`.
Result iterate(const Plate &plate, double tolerance, int every) {
  const int nx = plate.nx, ny = plate.ny, cells = nx * ny;
  const dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
  course::Buffer<double> d_now(plate.start), d_next(plate.start); // no step writes the edge
  course::Buffer<double> d_squares(1);
  double residual = INFINITY, squares = 0;
  int steps = 0;

  const course::Timer timer;
  // [loop]
  while (!(residual <= tolerance) && steps < 1'000'000) {
    step<<<grid, block>>>(d_now.data(), d_next.data(), nx, ny);
    CUDA_CHECK(cudaGetLastError());
    if (++steps % every == 0) {
      CUDA_CHECK(cudaMemset(d_squares.data(), 0, sizeof squares));
      add_squares<<<(cells + 255) / 256, 256>>>(d_now.data(), d_next.data(), cells,
                                                d_squares.data());
      CUDA_CHECK(cudaGetLastError());
      CUDA_CHECK(cudaMemcpy(&squares, d_squares.data(), sizeof squares, cudaMemcpyDeviceToHost));
      residual = std::sqrt(squares);
    }
    std::swap(d_now, d_next); // now d_now is the newest field
  }
  // [end]
  const double seconds = timer.seconds();
  return {d_now.to_host(), steps, residual, seconds};
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[nx ny]");
  course::print_device();
  const int nx = course::count_argument(argc, argv, 1, "nx", 81, 400, 3);
  const int ny = course::count_argument(argc, argv, 2, "ny", 49, 400, 3);
  const Plate plate = plate_of(nx, ny);
  std::printf("%d x %d cells; the residual is computed in every N-th step\n\n", nx, ny);
  std::puts("    N     steps      residual   largest error          time");

  bool correct = true;
  const auto run = [&](double tolerance, int every) {
    const Result result = iterate(plate, tolerance, every);
    double largest = 0;
    for (int i = 0; i < nx * ny; ++i) {
      const double error = std::abs(result.cells[i] - plate.steady[i]);
      correct = correct && error < 100 * tolerance; // false for NaN
      largest = std::fmax(largest, error);
    }
    std::printf("%5d %9d %13.2e %15.2e %10.3f ms\n", every, result.steps, result.residual, largest,
                1e3 * result.seconds);
    return result.cells;
  };
  for (double tolerance : {1e-2, 1e-4, 1e-6})
    run(tolerance, 1);
  const std::vector<double> cells = run(1e-6, 100);

  course::write_picture("stencil.png", cells.data(), nx, ny, -1, 1, 8);
  return course::verdict(correct);
}
