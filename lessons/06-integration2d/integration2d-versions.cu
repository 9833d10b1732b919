// Lesson 06, versions: the double integral in five versions, compared with the device's limit for
// multiply-adds.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/06-integration2d/integration2d-versions.cu -o integration2d-versions
// Run:   ./integration2d-versions [n]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

// Every kernel adds sin(x + y) at the centres of n x n squares of side h, x = h (i + 0.5) and
// y = h (j + 0.5), and writes its sums to `sums`: one per column, or one per block.
constexpr int BLOCK = 128; // threads per block, a power of two

__device__ double column_sum(int n, double h, int i) {
  double sum = 0;
  for (int j = 0; j < n; ++j)
    sum += sin(h * (i + 0.5) + h * (j + 0.5));
  return sum;
}

// Version 1: one sum per column.
__global__ void plain(int n, double h, double *sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sums[i] = column_sum(n, h, i);
}

// Adds the values of a block's threads in shared memory, and writes the block's sum. Every thread
// of the block must call it, once.
__device__ void block_sum(double value, double *sums) {
  __shared__ double shared[BLOCK];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = BLOCK / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.y * gridDim.x + blockIdx.x] = shared[0];
}

// Version 2: one sum per block.
__global__ void block_sums(int n, double h, double *sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  block_sum(i < n ? column_sum(n, h, i) : 0, sums);
}

// Version 3: more threads than columns, with a grid-stride loop in both directions.
__global__ void plane(int n, double h, double *sums) {
  double sum = 0;
  for (int i = blockIdx.y; i < n; i += gridDim.y)
    for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < n; j += gridDim.x * blockDim.x)
      sum += sin(h * (i + 0.5) + h * (j + 0.5));
  block_sum(sum, sums);
}

// Sine and cosine of the angle h (k + 0.5). Past the last point both are 0, which changes no sum.
template <class T> __device__ void direction(int n, double h, int k, T &sine, T &cosine) {
  double s = 0, c = 0;
  if (k < n)
    sincos(h * (k + 0.5), &s, &c);
  sine = s, cosine = c;
}

// Versions 4 (T = double) and 5 (T = float): no sine per point, because
//   sin(x + y) = sin x cos y + cos x sin y.
// A block keeps the sines and cosines of TILE angles y in shared memory. Each of its threads keeps
// those of COLUMNS angles x in registers. T is the type of a column's sum over one tile.
constexpr int COLUMNS = 16, TILE = 1024;

template <class T> __global__ void rotated(int n, double h, double *sums) {
  __shared__ T sin_y[TILE], cos_y[TILE];
  T sin_x[COLUMNS], cos_x[COLUMNS], column[COLUMNS] = {};
  for (int k = threadIdx.x; k < TILE; k += BLOCK)
    direction(n, h, blockIdx.y * TILE + k, sin_y[k], cos_y[k]);
  for (int c = 0; c < COLUMNS; ++c)
    direction(n, h, (blockIdx.x * COLUMNS + c) * BLOCK + threadIdx.x, sin_x[c], cos_x[c]);
  __syncthreads(); // every thread reads what all threads have written
  for (int k = 0; k < TILE; ++k)
    for (int c = 0; c < COLUMNS; ++c) {
      column[c] += sin_x[c] * cos_y[k];
      column[c] += cos_x[c] * sin_y[k];
    }
  double sum = 0;
  for (int c = 0; c < COLUMNS; ++c)
    sum += column[c];
  block_sum(sum, sums);
}

// The limit: only multiply-adds (FMA), in chains that do not depend on each other.
constexpr int CHAINS = 24; // per thread
template <class T> __global__ void multiply_add(int steps, T factor, double *results) {
  T x[CHAINS];
  for (int k = 0; k < CHAINS; ++k)
    x[k] = k;
  for (int step = 0; step < steps; ++step)
    for (int k = 0; k < CHAINS; ++k)
      x[k] = x[k] * factor + factor;
  T sum = 0;
  for (int k = 0; k < CHAINS; ++k)
    sum += x[k];
  results[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Multiply-adds per second of the whole device, for numbers of type T.
template <class T> double multiply_add_rate() {
  const int blocks = 16 * course::multiprocessors(), steps = course::problem_size(10000, 1000);
  const course::Buffer<double> results(blocks * BLOCK);
  const double seconds = course::gpu_seconds(5, [&] {
    multiply_add<T><<<blocks, BLOCK>>>(steps, T(0.999), results.data());
    CUDA_CHECK(cudaGetLastError());
  });
  return double(CHAINS) * steps * results.size() / seconds;
}

// The grids: one thread per column; enough blocks to fill the device; one block per tile.
dim3 grid_of_columns(int n) { return dim3((n + BLOCK - 1) / BLOCK); }
dim3 grid_of_device(int) { return dim3(8, 8 * course::multiprocessors()); }
dim3 grid_of_tiles(int n) {
  return dim3((n + COLUMNS * BLOCK - 1) / (COLUMNS * BLOCK), (n + TILE - 1) / TILE);
}

struct Version {
  const char *name;
  void (*kernel)(int n, double h, double *sums);
  dim3 (*grid)(int n);
  double limit;    // 10^9 points per second
  double rounding; // allowed rounding error, for an area of 1
};

// The integral of sin(x + y) over [0, a] x [0, a], from n x n points.
double integral(const Version &version, int n, double a, const course::Buffer<double> &d_sums) {
  const double h = a / n;
  const dim3 grid = version.grid(n);
  version.kernel<<<grid, BLOCK>>>(n, h, d_sums.data());
  CUDA_CHECK(cudaGetLastError());
  std::vector<double> sums(version.kernel == plain ? n : grid.x * grid.y);
  const std::size_t bytes = sums.size() * sizeof(double);
  CUDA_CHECK(cudaMemcpy(sums.data(), d_sums.data(), bytes, cudaMemcpyDeviceToHost));
  return h * h * std::accumulate(sums.begin(), sums.end(), 0.0);
}

// Prints the rate and the errors of a version, and returns true if the errors are small enough. The
// rate includes the launch, the copy of the sums and their addition on the host.
bool run(const Version &version, int n, const course::Buffer<double> &d_sums) {
  const double pi = std::acos(-1.0), points = double(n) * n;
  CUDA_CHECK(cudaMemset(d_sums.data(), 0xFF, d_sums.bytes())); // NaN in every element
  const double two = integral(version, n + 1, pi / 2, d_sums);
  double zero = NAN;
  const double seconds = course::host_seconds(course::problem_size(5, 1),
                                              [&] { zero = integral(version, n, pi, d_sums); });
  course::figure(version.name, 1e-9 * points / seconds, "Gpoint/s",
                 {.limit = version.limit, .limit_is = "the limit"});

  const auto allowed = [&](double a) { return a * a * (a * a / points / 12 + version.rounding); };
  const bool correct = std::abs(zero) <= allowed(pi) && std::abs(two - 2) <= allowed(pi / 2);
  std::printf("     error %.1e over [0, pi] x [0, pi], %.1e over [0, pi/2] x [0, pi/2]%s\n",
              std::abs(zero), std::abs(two - 2), correct ? "" : ": too large");
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int n =
      course::count_argument(argc, argv, 1, "n", course::problem_size(102'400, 4000), 1'000'000);
  std::printf("n = %d: %.0f points\n\n", n, double(n) * n);

  // `rotated` needs two multiply-adds per point.
  const double limit = 1e-9 * multiply_add_rate<double>() / 2;
  const double float_limit = 1e-9 * multiply_add_rate<float>() / 2;
  course::figure("limit: 2 multiply-adds a point, double", limit, "Gpoint/s");
  course::figure("limit: 2 multiply-adds a point, float", float_limit, "Gpoint/s");

  const dim3 whole = grid_of_device(n);
  const course::Buffer<double> d_sums(std::max<unsigned>(n + 1, whole.x * whole.y));
  bool correct = true;
  for (const Version &version : {
           Version{"plain", plain, grid_of_columns, limit, 1e-11},
           Version{"block sums", block_sums, grid_of_columns, limit, 1e-11},
           Version{"plane", plane, grid_of_device, limit, 1e-11},
           Version{"rotated, double", rotated<double>, grid_of_tiles, limit, 1e-11},
           Version{"rotated, float", rotated<float>, grid_of_tiles, float_limit, 1e-7},
       })
    correct &= run(version, n, d_sums);
  std::puts("");
  return course::verdict(correct);
}
