// Lesson 09: a stencil: heat spreads over a plate, one Jacobi step after the other.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/09-stencil/stencil.cu -o stencil
// Run:   ./stencil [nx ny]
//
// A field has ny rows of nx cells; cell (x, y) is field[y * nx + x]. A step gives each inner cell
// the mean of its four neighbours; the cells of the edge keep their value.
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/picture.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/09-stencil/reference.hpp"

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

// First rung: one thread a cell. Of its four loads one comes from memory: the other three cells
// were loaded for neighbours, and a cache still has them.
__global__ void step(const double *now, double *next, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
    const int i = y * nx + x;
    next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
  }
}

// Second rung: the block's cells and one more on each side, the halo, in shared memory, each loaded
// once a block.
constexpr int width = 32, height = 8; // of a block
__global__ void step_tile(const double *now, double *next, int nx, int ny) {
  __shared__ double tile[height + 2][width + 2];
  const int x = blockIdx.x * width + threadIdx.x, y = blockIdx.y * height + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, i = y * nx + x;
  if (x < nx && y < ny) {
    tile[ty][tx] = now[i];
    if (tx == 1 && x > 0)
      tile[ty][0] = now[i - 1];
    if (tx == width && x < nx - 1)
      tile[ty][width + 1] = now[i + 1];
    if (ty == 1 && y > 0)
      tile[0][tx] = now[i - nx];
    if (ty == height && y < ny - 1)
      tile[height + 1][tx] = now[i + nx];
  }
  __syncthreads();
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
    next[i] = 0.25 * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}

// Third rung: several rows a thread. On the way down the cell above and the cell itself stay in
// registers. __restrict__ says that now and next are different memory, so that the next row may be
// loaded before this one is stored. with_norm: adds the squares of the changes, which are at hand
// here, to *squares.
constexpr int threads = 256, thread_rows = 4; // of a block; of a thread
template <bool with_norm>
__global__ void step_rows(const double *__restrict__ now, double *__restrict__ next, int nx, int ny,
                          double *squares) {
  const int x = blockIdx.x * threads + threadIdx.x, top = 1 + blockIdx.y * thread_rows;
  double sum = 0;
  if (x > 0 && x < nx - 1) {
    double above = now[(top - 1) * nx + x], here = now[top * nx + x];
    for (int y = top; y < min(top + thread_rows, ny - 1); ++y) {
      const int i = y * nx + x;
      const double below = now[i + nx];
      const double mean = 0.25 * (now[i - 1] + now[i + 1] + above + below);
      next[i] = mean;
      sum += (mean - here) * (mean - here);
      above = here;
      here = below;
    }
  }
  if (with_norm) { // one sum a block, as in lesson 07
    __shared__ double sums[threads / 32];
    for (int away = 16; away > 0; away /= 2)
      sum += __shfl_down_sync(~0u, sum, away);
    if (threadIdx.x % 32 == 0)
      sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int warp = 1; warp < threads / 32; ++warp)
        sum += sums[warp];
      atomicAdd(squares, sum);
    }
  }
}

// Two fields on the device: a step reads `now` and writes `next`, then they change their names.
struct Plate {
  int nx, ny;
  double *d_now, *d_next, *d_squares;

  Plate(int its_nx, int its_ny) : nx(its_nx), ny(its_ny) {
    CUDA_CHECK(cudaMalloc(&d_now, bytes()));
    CUDA_CHECK(cudaMalloc(&d_next, bytes()));
    CUDA_CHECK(cudaMalloc(&d_squares, sizeof(double)));
  }
  ~Plate() {
    for (double *memory : {d_now, d_next, d_squares})
      cudaFree(memory);
  }
  Plate(const Plate &) = delete;

  std::size_t bytes() const { return sizeof(double) * nx * ny; }

  // Both fields begin as `field`, since no step writes the edge of `next`.
  void start(const std::vector<double> &field) {
    for (double *memory : {d_now, d_next})
      CUDA_CHECK(cudaMemcpy(memory, field.data(), bytes(), cudaMemcpyHostToDevice));
  }
};

void first_rung(Plate &p) {
  const dim3 block(32, 8), grid((p.nx + 31) / 32, (p.ny + 7) / 8);
  step<<<grid, block>>>(p.d_now, p.d_next, p.nx, p.ny);
  CUDA_CHECK(cudaGetLastError());
  std::swap(p.d_now, p.d_next);
}

void second_rung(Plate &p) {
  const dim3 block(width, height), grid((p.nx + width - 1) / width, (p.ny + height - 1) / height);
  step_tile<<<grid, block>>>(p.d_now, p.d_next, p.nx, p.ny);
  CUDA_CHECK(cudaGetLastError());
  std::swap(p.d_now, p.d_next);
}

template <bool with_norm> void third_rung(Plate &p) {
  const dim3 grid((p.nx + threads - 1) / threads, (p.ny - 2 + thread_rows - 1) / thread_rows);
  step_rows<with_norm><<<grid, threads>>>(p.d_now, p.d_next, p.nx, p.ny, p.d_squares);
  CUDA_CHECK(cudaGetLastError());
  std::swap(p.d_now, p.d_next);
}

// The same; returns the norm of the change: the root of the sum of its squares.
double third_with_norm(Plate &p) {
  CUDA_CHECK(cudaMemset(p.d_squares, 0, sizeof(double)));
  third_rung<true>(p);
  double squares;
  CUDA_CHECK(cudaMemcpy(&squares, p.d_squares, sizeof squares, cudaMemcpyDeviceToHost)); // waits
  return std::sqrt(squares);
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[nx ny]");
  const int nx = course::count_argument(argc, argv, 1, "nx", course::size(16384, 701), 40'000, 3);
  const int ny = course::count_argument(argc, argv, 2, "ny", course::size(16384, 503), 40'000, 3);
  course::print_device();
  std::printf("two fields of %d x %d doubles: %.3g GB\n\n", nx, ny, 16e-9 * nx * ny);
  Plate plate(nx, ny); // first: too large a field ends here

  // 1. An uneven field, and two steps of it on the CPU.
  const std::vector<double> start = uneven_field(std::size_t(nx) * ny);
  std::vector<double> once = start, twice = start, got = start;
  step_on_cpu(start, once, nx, ny, nx);
  const double wanted_norm = step_on_cpu(once, twice, nx, ny, nx);

  // 2. The rungs: each does the same two steps, then it is timed. A step has to load and to store
  //    each cell once, 16 bytes, so its limit is the rate at which the device copies a field.
  const int runs = course::size(11, 1);
  plate.start(start);
  const double copied =
      2.0 * plate.bytes() / course::gpu_seconds(runs, [&] {
        CUDA_CHECK(cudaMemcpy(plate.d_next, plate.d_now, plate.bytes(), cudaMemcpyDeviceToDevice));
      });
  course::figure("copy of a field: the limit", 1e-9 * copied, "GB/s");
  bool correct = true;
  const auto rung = [&](const char *what, auto do_step) {
    plate.start(start);
    do_step(plate);
    do_step(plate);
    CUDA_CHECK(cudaMemcpy(got.data(), plate.d_now, plate.bytes(), cudaMemcpyDeviceToHost));
    const auto want = [&](std::size_t i) { return twice[i]; };
    correct = course::verify(what, got.data(), got.size(), want) && correct;
    const double seconds = course::gpu_seconds(runs, [&] { do_step(plate); });
    course::figure(what, 1e-9 * 16 * nx * ny / seconds, "GB/s", 1e-9 * copied, "the copy's",
                   seconds);
  };
  rung("a thread a cell", first_rung);
  rung("shared tile of 32 x 8", second_rung);
  rung("4 rows a thread", third_rung<false>);
  rung("4 rows a thread, and the norm", third_with_norm);

  plate.start(start);
  third_rung<false>(plate);
  const double norm = third_with_norm(plate);
  // The same numbers added in another order: some roundings of 1e-16.
  correct = course::verify_value("norm", norm, wanted_norm, 1e-10) && correct;

  // 3. A plate whose left and right edge are warm above and cold below, until a step changes next
  //    to nothing. Only every 100th step asks for the norm: the host has to wait for it.
  Plate small(81, 49);
  const double turn = 2 * std::acos(-1.0) / (small.ny - 1), middle = 0.5 * (small.nx - 1);
  std::vector<double> field(small.nx * small.ny);
  for (int y = 0; y < small.ny; ++y)
    field[y * small.nx] = field[y * small.nx + small.nx - 1] = std::sin(turn * y);
  small.start(field);
  std::printf("\n   a plate of %d x %d:\n", small.nx, small.ny);
  int steps = 0;
  double change = 1;
  while (steps < 20'000 && change > 1e-6) {
    for (int k = 1; k < 100; ++k)
      third_rung<false>(small);
    change = third_with_norm(small);
    steps += 100;
    if (steps % 500 == 0)
      std::printf("   %5d steps: the last one changed it by %.2e\n", steps, change);
  }

  // 4. Is it right? This plate has a formula for the end, when each cell is its neighbours' mean.
  const double curve = std::acosh(2 - std::cos(turn));
  CUDA_CHECK(cudaMemcpy(field.data(), small.d_now, small.bytes(), cudaMemcpyDeviceToHost));
  double farthest = 0;
  for (int y = 0; y < small.ny; ++y)
    for (int x = 0; x < small.nx; ++x) {
      const double side = std::cosh(curve * (x - middle)) / std::cosh(curve * middle);
      const double distance = std::abs(field[y * small.nx + x] - std::sin(turn * y) * side);
      correct = correct && distance < 1e-4; // a NaN is not
      farthest = std::fmax(farthest, distance);
    }
  std::printf("   %5d steps: the last one changed it by %.2e; farthest from the end: %.2e\n   ",
              steps, change, farthest);
  course::write_picture("stencil.png", field.data(), small.nx, small.ny, -1, 1, 8);
  std::puts("");
  return course::verdict(correct);
}
