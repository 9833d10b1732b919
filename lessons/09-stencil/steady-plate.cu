// Lesson 09, second program: Jacobi steps until a plate is steady, and the proof that it is right.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/09-stencil/steady-plate.cu -o steady-plate
// Run:   ./steady-plate
//
// The left and the right edge are warm above and cold below. For this plate the steady state is
// known: "little changes" can be compared with "right".
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/picture.hpp"
#include "common/verify.hpp"
#include "lessons/09-stencil/reference.hpp"

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

// The step of stencil.cu. With `squares` it also adds the squares of all changes to *squares: both
// values of a cell are at hand here. Blocks are 32 threads wide, so each of their rows is a warp.
// [kernel]
__global__ void step(const double *now, double *next, int nx, int ny, double *squares) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  double change = 0;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
    const int i = y * nx + x;
    next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
    change = next[i] - now[i];
  }
  if (squares == nullptr) // the same for all threads
    return;
  double sum = change * change;
  for (int away = 16; away > 0; away /= 2)
    sum += __shfl_down_sync(~0u, sum, away);
  if (threadIdx.x == 0)
    atomicAdd(squares, sum);
}
// [end]

// A plate on the device: a step reads `now` and writes `next`, then the two are swapped.
struct Plate {
  int nx, ny;
  double *d_now, *d_next, *d_squares;

  void step_once(double *squares) {
    const dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
    step<<<grid, block>>>(d_now, d_next, nx, ny, squares);
    CUDA_CHECK(cudaGetLastError());
    std::swap(d_now, d_next);
  }

  // One step; returns its residual, for which the host has to wait.
  double step_with_residual() {
    CUDA_CHECK(cudaMemset(d_squares, 0, sizeof(double)));
    step_once(d_squares);
    double squares;
    CUDA_CHECK(cudaMemcpy(&squares, d_squares, sizeof squares, cudaMemcpyDeviceToHost));
    return std::sqrt(squares);
  }
};

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 0, "");
  course::print_device();
  Plate plate{81, 49, nullptr, nullptr, nullptr};
  const int nx = plate.nx, ny = plate.ny;
  const double turn = 2 * std::acos(-1.0) / (ny - 1), middle = 0.5 * (nx - 1);
  std::vector<double> field(nx * ny);
  for (int y = 0; y < ny; ++y)
    field[y * nx] = field[y * nx + nx - 1] = std::sin(turn * y);
  const std::size_t bytes = field.size() * sizeof(double);
  CUDA_CHECK(cudaMalloc(&plate.d_squares, sizeof(double)));
  for (double **memory : {&plate.d_now, &plate.d_next}) {
    CUDA_CHECK(cudaMalloc(memory, bytes));
    CUDA_CHECK(cudaMemcpy(*memory, field.data(), bytes, cudaMemcpyHostToDevice));
  }

  std::printf("a plate of %d x %d cells:\n", nx, ny);
  int steps = 0;
  double residual = 1;
  while (steps < 20'000 && residual > 1e-6) {
    for (int k = 1; k < 100; ++k)
      plate.step_once(nullptr);
    residual = plate.step_with_residual();
    steps += 100;
    if (steps % 500 == 0 || residual <= 1e-6)
      std::printf("   %5d steps: residual %.2e\n", steps, residual);
  }

  // The steady state: each cell is the mean of its neighbours.
  const double curve = std::acosh(2 - std::cos(turn));
  CUDA_CHECK(cudaMemcpy(field.data(), plate.d_now, bytes, cudaMemcpyDeviceToHost));
  double farthest = 0;
  bool correct = true;
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      const double steady = std::sin(turn * y) * std::cosh(curve * (x - middle));
      const double error = std::abs(field[y * nx + x] - steady / std::cosh(curve * middle));
      correct = correct && error < 1e-4; // a NaN is not
      farthest = std::fmax(farthest, error);
    }
  std::printf("   largest error of a cell: %.2e\n   ", farthest);
  course::write_picture("stencil.png", field.data(), nx, ny, -1, 1, 8);

  // The residual, too: one more step on both sides. Its sum is added in another order.
  std::vector<double> after = field;
  const double expected = step_on_cpu(field, after, nx, ny, nx);
  correct =
      course::verify_value("residual", plate.step_with_residual(), expected, 1e-10) && correct;

  for (double *memory : {plate.d_now, plate.d_next, plate.d_squares})
    CUDA_CHECK(cudaFree(memory));
  return course::verdict(correct);
}
