// Lesson 09, the whole ladder: the Jacobi step and its residual, one rung after the other.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/09-stencil/stencil-versions.cu -o stencil-versions
// Run:   ./stencil-versions [nx ny]
//
// stencil.cu, the page's program, says what a field and its edge are. Here a row is padded to
// `pitch` cells, a multiple of 128 bytes, so that each row may be loaded 16 bytes at once.
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"
#include "lessons/09-stencil/reference.hpp"

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

// ---- the first idea --------------------------------------------------------------------------

// One thread per cell. Of its four loads one comes from memory: the other three cells were loaded
// for neighbours, and a cache still has them.
__global__ void step(const double *now, double *next, int nx, int ny, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
    const int i = y * pitch + x;
    next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - pitch] + now[i + pitch]);
  }
}

// ---- shared memory ---------------------------------------------------------------------------

// The block's cells and their halo, one more cell on each side, each loaded once into shared
// memory.
// [tile]
template <int width, int height>
__global__ void step_tile(const double *now, double *next, int nx, int ny, int pitch) {
  __shared__ double tile[height + 2][width + 2];
  const int x = blockIdx.x * width + threadIdx.x, y = blockIdx.y * height + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int i = y * pitch + x;
  if (x < nx && y < ny) {
    tile[ty][tx] = now[i];
    if (tx == 1 && x > 0)
      tile[ty][0] = now[i - 1];
    if (tx == width && x < nx - 1)
      tile[ty][width + 1] = now[i + 1];
    if (ty == 1 && y > 0)
      tile[0][tx] = now[i - pitch];
    if (ty == height && y < ny - 1)
      tile[height + 1][tx] = now[i + pitch];
  }
  __syncthreads();
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
    next[i] = 0.25 * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}
// [end]

// ---- several rows per thread -----------------------------------------------------------------

// The cell above and the cell itself stay in registers on the way down: one new load per row, and
// two that a cache answers. __restrict__: now and next are different memory, so that the compiler
// may load the next rows before it stores this one.
template <int thread_rows>
__global__ void step_rows(const double *__restrict__ now, double *__restrict__ next, int nx, int ny,
                          int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int top = 1 + (blockIdx.y * blockDim.y + threadIdx.y) * thread_rows;
  if (x == 0 || x >= nx - 1 || top >= ny - 1)
    return;
  double above = now[(top - 1) * pitch + x], here = now[top * pitch + x];
  for (int y = top; y < min(top + thread_rows, ny - 1); ++y) {
    const int i = y * pitch + x;
    const double below = now[i + pitch];
    next[i] = 0.25 * (now[i - 1] + now[i + 1] + above + below);
    above = here;
    here = below;
  }
}

// ---- and two cells of a row: 16 bytes per load -----------------------------------------------

// Adds the values of a block's threads to *sum (lesson 07).
__device__ void add_block(double value, double *sum) {
  __shared__ double parts[32];
  for (int away = 16; away > 0; away /= 2)
    value += __shfl_down_sync(~0u, value, away);
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const int warps = blockDim.x * blockDim.y / 32;
  if (thread % 32 == 0)
    parts[thread / 32] = value;
  __syncthreads();
  if (thread == 0) {
    for (int warp = 1; warp < warps; ++warp)
      value += parts[warp];
    atomicAdd(sum, value);
  }
}

__device__ double2 load_pair(const double *at) { return *reinterpret_cast<const double2 *>(at); }

__device__ void store_pair(double *at, double2 pair) { *reinterpret_cast<double2 *>(at) = pair; }

// Columns x and x + 1, x even, of several rows. The edge's cells are written, too, as they were.
// with_residual: adds up the square of each cell's change, which is at hand here, in registers.
template <int thread_rows, bool with_residual>
__global__ void step_pairs(const double *__restrict__ now, double *__restrict__ next, int nx,
                           int ny, int pitch, double *squares) {
  const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int top = 1 + (blockIdx.y * blockDim.y + threadIdx.y) * thread_rows;
  double change = 0;
  if (x < nx && top < ny - 1) {
    double2 above = load_pair(now + (top - 1) * pitch + x), here = load_pair(now + top * pitch + x);
    for (int y = top; y < min(top + thread_rows, ny - 1); ++y) {
      const int i = y * pitch + x;
      const double2 below = load_pair(now + i + pitch);
      double2 mean = {0.25 * (now[i - 1] + here.y + above.x + below.x),
                      0.25 * (here.x + now[i + 2] + above.y + below.y)};
      if (x == 0 || x == nx - 1)
        mean.x = here.x;
      if (x + 1 >= nx - 1)
        mean.y = here.y;
      store_pair(next + i, mean);
      if (with_residual)
        change += (mean.x - here.x) * (mean.x - here.x) + (mean.y - here.y) * (mean.y - here.y);
      above = here;
      here = below;
    }
  }
  if (with_residual)
    add_block(change, squares);
}

// The residual by a kernel of its own, which has to load both fields again.
__global__ void square_change(const double *now, const double *next, int nx, int ny, int pitch,
                              double *squares) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = y * pitch + x;
  const double change = x < nx && y < ny ? next[i] - now[i] : 0;
  add_block(change * change, squares);
}

// ---- two steps in one pass over memory -------------------------------------------------------

// A tile with two more cells on each side. The first step's result is needed one cell past
// the block, so neighbouring blocks compute those cells twice.
template <int width, int height>
__global__ void two_steps_tile(const double *now, double *next, int nx, int ny, int pitch) {
  __shared__ double before[height + 4][width + 4], after[height + 2][width + 2];
  const int left = blockIdx.x * width - 2, top = blockIdx.y * height - 2;
  const int thread = threadIdx.y * width + threadIdx.x;
  for (int i = thread; i < (width + 4) * (height + 4); i += width * height) {
    const int tx = i % (width + 4), ty = i / (width + 4);
    const int x = min(max(left + tx, 0), nx - 1), y = min(max(top + ty, 0), ny - 1);
    before[ty][tx] = now[y * pitch + x];
  }
  __syncthreads();
  for (int i = thread; i < (width + 2) * (height + 2); i += width * height) {
    const int tx = i % (width + 2), ty = i / (width + 2);
    const int x = left + 1 + tx, y = top + 1 + ty;
    const bool inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
    after[ty][tx] = inside ? 0.25 * (before[ty + 1][tx] + before[ty + 1][tx + 2] +
                                     before[ty][tx + 1] + before[ty + 2][tx + 1])
                           : before[ty + 1][tx + 1];
  }
  __syncthreads();
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = left + 1 + tx, y = top + 1 + ty;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
    next[y * pitch + x] =
        0.25 * (after[ty][tx - 1] + after[ty][tx + 1] + after[ty - 1][tx] + after[ty + 1][tx]);
}

// A pipeline in registers: a warp walks down a strip of 64 columns, one pair per lane. When row y
// arrives, row y - 1 can do its first step, then row y - 2 its second. The cells left and right of
// a pair belong to the neighbouring lanes: shuffles. At each side of the strip `halo` columns lack
// a neighbour for one of the steps; the strips overlap by so much, and only the columns between are
// stored.
template <int steps> constexpr int strip_rows = 32 * steps;
template <int steps> constexpr int strip_halo = (steps + 1) / 2 * 2; // even: pairs stay aligned
template <int steps> constexpr int strip_columns = 64 - 2 * strip_halo<steps>;

template <int steps>
__global__ void steps_pipeline(const double *__restrict__ now, double *__restrict__ next, int nx,
                               int ny, int pitch) {
  constexpr int halo = strip_halo<steps>, own = strip_columns<steps>, ahead = 6;
  const int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int x = warp * own - halo + 2 * lane;
  const int top = 1 + blockIdx.y * strip_rows<steps>;
  if (warp * own >= nx) // the same for all lanes of a warp, so none waits for another in a shuffle
    return;
  const bool stores = lane >= halo / 2 && lane < 32 - halo / 2 && x < nx;
  const double *column = now + min(max(x, 0), pitch - 2);
  const auto load_row = [&](int y) { return load_pair(column + min(max(y, 0), ny - 1) * pitch); };

  double2 coming[ahead];       // rows whose loads are in flight
  double2 line[steps][3] = {}; // line[s]: three rows, one below the other, after s steps
  for (int k = 0; k < ahead; ++k)
    coming[k] = load_row(top - steps + k);
#pragma unroll 6 // both queues are back where they were after 6 rows: no moves between registers
  for (int k = 0; k < strip_rows<steps> + 2 * steps; ++k) {
    const int y = top - steps + k;
    double2 row = coming[0];
    for (int slot = 0; slot < ahead - 1; ++slot)
      coming[slot] = coming[slot + 1];
    coming[ahead - 1] = load_row(y + ahead);
#pragma unroll
    for (int s = 0; s < steps; ++s) { // row: y - s after s steps, then y - s - 1 after s + 1
      line[s][0] = line[s][1];
      line[s][1] = line[s][2];
      line[s][2] = row;
      const double2 above = line[s][0], here = line[s][1], below = line[s][2];
      const double left = __shfl_up_sync(~0u, here.y, 1), right = __shfl_down_sync(~0u, here.x, 1);
      const bool edge = y - s - 1 <= 0 || y - s - 1 >= ny - 1;
      row.x = edge || x <= 0 || x == nx - 1 ? here.x : 0.25 * (left + here.y + above.x + below.x);
      row.y = edge || x + 1 >= nx - 1 ? here.y : 0.25 * (here.x + right + above.y + below.y);
    }
    if (k >= 2 * steps && y - steps < ny - 1 && stores)
      store_pair(next + (y - steps) * pitch + x, row);
  }
}

// ---- the host --------------------------------------------------------------------------------

int divide_up(int n, int by) { return (n + by - 1) / by; }

// The fields on the device, and what each rung is compared with.
struct Bench {
  int nx, ny, pitch;
  double *d_start = nullptr, *d_now = nullptr, *d_next = nullptr, *d_squares = nullptr;
  std::vector<double> wanted{}, got{}; // after `checked` steps
  double wanted_residual = 0;          // of the last of them
  double copy_rate = 0;                // bytes per second
  bool correct = true;

  static constexpr int checked = 12; // steps, so many that all rungs come to the same

  std::size_t bytes() const { return std::size_t(pitch) * ny * sizeof(double); }

  void restart() {
    CUDA_CHECK(cudaMemcpy(d_now, d_start, bytes(), cudaMemcpyDeviceToDevice));
    CUDA_CHECK(
        cudaMemcpy(d_next, d_start, bytes(), cudaMemcpyDeviceToDevice)); // the edge, above all
  }

  // Compares each value. launch(from, to) computes the field `to`, `steps` steps after `from`.
  template <class Launch> void check(const char *what, int steps, Launch launch) {
    restart();
    double *from = d_now, *to = d_next;
    for (int done = 0; done < checked; done += steps) {
      launch(from, to);
      std::swap(from, to);
    }
    CUDA_CHECK(cudaMemcpy(got.data(), from, bytes(), cudaMemcpyDeviceToHost));
    for (int y = 0; y < ny; ++y) // what the padding holds is nobody's concern
      for (int x = nx; x < pitch; ++x)
        got[y * pitch + x] = wanted[y * pitch + x];
    const auto want = [&](std::size_t i) { return wanted[i]; };
    correct = course::verify(what, got.data(), got.size(), want) && correct;
  }

  // Times work(), which does `steps` steps. A step has to load and to store each cell once.
  template <class Work> void measure(const char *what, int steps, Work work) {
    const double seconds = course::gpu_seconds(course::size(11, 1), work);
    const double rate = 16.0 * nx * ny * steps / seconds;
    course::figure(what, 1e-9 * rate, "GB/s", 1e-9 * copy_rate, "the copy's", seconds);
  }

  template <class Launch> void rung(const char *what, int steps, Launch launch) {
    check(what, steps, launch);
    measure(what, steps, [&] { launch(d_now, d_next); });
  }

  // A rung whose every `every`-th step is step_with_residual(from, to): it also adds the squares of
  // the changes to *d_squares. The host reads it then, as it has to before it can decide to stop.
  template <class Step, class StepWithResidual>
  void residual_rung(const char *what, int every, Step step, StepWithResidual step_with_residual) {
    double squares = 0;
    const auto with_residual = [&](const double *from, double *to) {
      CUDA_CHECK(cudaMemsetAsync(d_squares, 0, sizeof(double)));
      step_with_residual(from, to);
      CUDA_CHECK(cudaMemcpy(&squares, d_squares, sizeof(double), cudaMemcpyDeviceToHost));
    };
    check(what, 1, with_residual);
    const double residual = std::sqrt(squares);
    // Two orders of adding n positive numbers differ by some of their n roundings of 1e-16.
    correct = course::verify_value(what, residual, wanted_residual, 1e-10) && correct;
    measure(what, every, [&] {
      for (int k = 1; k < every; ++k)
        step(d_now, d_next);
      with_residual(d_now, d_next);
    });
  }

  template <int steps> void pipeline(const char *what) {
    const dim3 grid(divide_up(divide_up(nx, strip_columns<steps>), 4),
                    divide_up(ny - 2, strip_rows<steps>));
    rung(what, steps, [&](const double *from, double *to) {
      steps_pipeline<steps><<<grid, 128>>>(from, to, nx, ny, pitch);
      CUDA_CHECK(cudaGetLastError());
    });
  }
};

constexpr int thread_rows = 4;

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[nx ny]");
  const int nx = course::count_argument(argc, argv, 1, "nx", course::size(16384, 501), 40'000, 3);
  const int ny = course::count_argument(argc, argv, 2, "ny", course::size(16384, 403), 40'000, 3);
  course::print_device();
  const int pitch = divide_up(nx, 16) * 16;
  Bench bench{nx, ny, pitch};
  std::printf("two fields of %d x %d doubles: %.3g GB\n\n", nx, ny, 2e-9 * bench.bytes());

  CUDA_CHECK(cudaMalloc(&bench.d_start, bench.bytes()));
  CUDA_CHECK(cudaMalloc(&bench.d_now, bench.bytes()));
  CUDA_CHECK(cudaMalloc(&bench.d_next, bench.bytes()));
  CUDA_CHECK(cudaMalloc(&bench.d_squares, sizeof(double)));

  std::vector<double> before = uneven_field(std::size_t(pitch) * ny);
  CUDA_CHECK(cudaMemcpy(bench.d_start, before.data(), bench.bytes(), cudaMemcpyHostToDevice));
  bench.wanted = bench.got = before;
  for (int k = 0; k < Bench::checked; ++k) {
    std::swap(before, bench.wanted);
    bench.wanted_residual = step_on_cpu(before, bench.wanted, nx, ny, pitch);
  }

  bench.restart();
  const double copy = course::gpu_seconds(course::size(11, 3), [&] {
    CUDA_CHECK(cudaMemcpy(bench.d_next, bench.d_now, bench.bytes(), cudaMemcpyDeviceToDevice));
  });
  bench.copy_rate = 2.0 * bench.bytes() / copy;
  course::figure("copy of a field: the yardstick", 1e-9 * bench.copy_rate, "GB/s");

  std::puts("\n   one step, at 16 bytes per cell:");
  const dim3 shapes[] = {{8, 32}, {16, 16}, {32, 8}, {32, 32}, {128, 2}, {256, 1}, {512, 1}};
  for (const dim3 block : shapes) {
    char what[40];
    std::snprintf(what, sizeof what, "one thread per cell, blocks of %u x %u", block.x, block.y);
    bench.rung(what, 1, [&](const double *d_now, double *d_next) {
      step<<<dim3(divide_up(nx, block.x), divide_up(ny, block.y)), block>>>(d_now, d_next, nx, ny,
                                                                            pitch);
      CUDA_CHECK(cudaGetLastError());
    });
  }
  bench.rung("shared tile of 32 x 8", 1, [&](const double *d_now, double *d_next) {
    step_tile<32, 8>
        <<<dim3(divide_up(nx, 32), divide_up(ny, 8)), dim3(32, 8)>>>(d_now, d_next, nx, ny, pitch);
    CUDA_CHECK(cudaGetLastError());
  });
  bench.rung("4 rows per thread", 1, [&](const double *d_now, double *d_next) {
    const dim3 block(128, 2), grid(divide_up(nx, 128), divide_up(ny - 2, 2 * thread_rows));
    step_rows<thread_rows><<<grid, block>>>(d_now, d_next, nx, ny, pitch);
    CUDA_CHECK(cudaGetLastError());
  });
  const dim3 pairs_block(128, 2),
      pairs_grid(divide_up(nx, 256), divide_up(ny - 2, 2 * thread_rows));
  const auto pairs = [&](const double *d_now, double *d_next) {
    step_pairs<thread_rows, false>
        <<<pairs_grid, pairs_block>>>(d_now, d_next, nx, ny, pitch, nullptr);
    CUDA_CHECK(cudaGetLastError());
  };
  bench.rung("4 rows of 16 bytes per thread", 1, pairs);

  std::puts("\n   one step and its residual, at 16 bytes per cell:");
  bench.residual_rung(
      "residual by a second kernel", 1, pairs, [&](const double *d_now, double *d_next) {
        pairs(d_now, d_next);
        const dim3 block(32, 8), grid(divide_up(nx, block.x), divide_up(ny, block.y));
        square_change<<<grid, block>>>(d_now, d_next, nx, ny, pitch, bench.d_squares);
        CUDA_CHECK(cudaGetLastError());
      });
  const auto pairs_with_residual = [&](const double *d_now, double *d_next) {
    step_pairs<thread_rows, true>
        <<<pairs_grid, pairs_block>>>(d_now, d_next, nx, ny, pitch, bench.d_squares);
    CUDA_CHECK(cudaGetLastError());
  };
  bench.residual_rung("residual in the step", 1, pairs, pairs_with_residual);
  bench.residual_rung("residual in every 10th step", 10, pairs, pairs_with_residual);

  std::puts("\n   several steps per pass, at 16 bytes per cell and step:");
  bench.rung("2 steps, shared tile of 32 x 16", 2, [&](const double *d_now, double *d_next) {
    two_steps_tile<32, 16><<<dim3(divide_up(nx, 32), divide_up(ny, 16)), dim3(32, 16)>>>(
        d_now, d_next, nx, ny, pitch);
    CUDA_CHECK(cudaGetLastError());
  });
  bench.pipeline<2>("2 steps, pipeline in registers");
  bench.pipeline<4>("4 steps, pipeline in registers");
  bench.pipeline<6>("6 steps, pipeline in registers");

  for (double *memory : {bench.d_start, bench.d_now, bench.d_next, bench.d_squares})
    CUDA_CHECK(cudaFree(memory));
  std::puts("");
  return course::verdict(bench.correct);
}
