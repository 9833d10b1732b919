// Lesson 09: a stencil: heat spreads over a plate, one Jacobi step after the other.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/09-stencil/stencil.cu -o stencil
// Run:   ./stencil [nx ny]
//
// A field has ny rows of nx cells; cell (x, y) is field[y * nx + x]. A step gives each inner cell
// the mean of its four neighbours; the cells of the edge keep their values.
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/09-stencil/reference.hpp"

#include <utility>

// One thread per cell. Of its four loads one comes from memory: the other three cells were loaded
// for neighbours, and a cache still has them.
// [kernel]
__global__ void step(const double *now, double *next, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
    const int i = y * nx + x;
    next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx]);
  }
}
// [end]

// Several rows per thread. On the way down the cell above and the cell itself stay in registers.
constexpr int thread_rows = 4;
// [rows]
__global__ void step_rows(const double *__restrict__ now, double *__restrict__ next, int nx,
                          int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, top = 1 + blockIdx.y * thread_rows;
  if (x == 0 || x >= nx - 1)
    return;
  double above = now[(top - 1) * nx + x], here = now[top * nx + x];
  for (int y = top; y < min(top + thread_rows, ny - 1); ++y) {
    const int i = y * nx + x;
    const double below = now[i + nx];
    next[i] = 0.25 * (now[i - 1] + now[i + 1] + above + below);
    above = here;
    here = below;
  }
}
// [end]

// Two fields on the device, for a plate of nx x ny cells.
struct Fields {
  int nx, ny;
  double *d_now, *d_next;
  std::size_t bytes() const { return sizeof(double) * nx * ny; }
};

// Two steps by `launch` from the field `start`: whether they lead to `expected`, to the last bit,
// since the four neighbours are added in the same order. Then times one step, in relation to a
// copy.
template <class Launch>
bool measure(const char *what, Fields &plate, const std::vector<double> &start,
             const std::vector<double> &expected, double copy_rate, Launch launch) {
  for (double *field : {plate.d_now, plate.d_next}) // both: no step writes the edge of d_next
    CUDA_CHECK(cudaMemcpy(field, start.data(), plate.bytes(), cudaMemcpyHostToDevice));
  const auto step_once = [&] {
    launch();
    CUDA_CHECK(cudaGetLastError());
    std::swap(plate.d_now, plate.d_next);
  };
  step_once();
  step_once();
  std::vector<double> got(start.size());
  CUDA_CHECK(cudaMemcpy(got.data(), plate.d_now, plate.bytes(), cudaMemcpyDeviceToHost));
  const double seconds = course::gpu_seconds(course::size(11, 1), step_once);
  const double rate = 2.0 * plate.bytes() / seconds; // each cell is read once and written once
  course::figure(what, 1e-9 * rate, "GB/s", 1e-9 * copy_rate, "the copy's", seconds);
  return course::verify(what, got.data(), got.size(), [&](std::size_t i) { return expected[i]; });
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[nx ny]");
  const int nx = course::count_argument(argc, argv, 1, "nx", course::size(16384, 701), 40'000, 3);
  const int ny = course::count_argument(argc, argv, 2, "ny", course::size(16384, 503), 40'000, 3);
  course::print_device();
  Fields plate{nx, ny, nullptr, nullptr};
  std::printf("two fields of %d x %d doubles: %.3g GB\n\n", nx, ny, 2e-9 * plate.bytes());
  CUDA_CHECK(cudaMalloc(&plate.d_now, plate.bytes()));
  CUDA_CHECK(cudaMalloc(&plate.d_next, plate.bytes()));

  const std::vector<double> start = uneven_field(std::size_t(nx) * ny);
  std::vector<double> once = start, twice = start;
  step_on_cpu(start, once, nx, ny, nx);
  step_on_cpu(once, twice, nx, ny, nx);

  const double copy_seconds = course::gpu_seconds(course::size(11, 1), [&] {
    CUDA_CHECK(cudaMemcpy(plate.d_next, plate.d_now, plate.bytes(), cudaMemcpyDeviceToDevice));
  });
  const double copy_rate = 2.0 * plate.bytes() / copy_seconds;
  course::figure("copy of a field: the yardstick", 1e-9 * copy_rate, "GB/s");

  const dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
  bool correct = measure("one thread per cell", plate, start, twice, copy_rate,
                         [&] { step<<<grid, block>>>(plate.d_now, plate.d_next, nx, ny); });
  const dim3 rows_grid((nx + 255) / 256, (ny - 2 + thread_rows - 1) / thread_rows);
  const auto rows = [&] { step_rows<<<rows_grid, 256>>>(plate.d_now, plate.d_next, nx, ny); };
  correct = measure("4 rows per thread", plate, start, twice, copy_rate, rows) && correct;

  CUDA_CHECK(cudaFree(plate.d_now));
  CUDA_CHECK(cudaFree(plate.d_next));
  std::puts("");
  return course::verdict(correct);
}
