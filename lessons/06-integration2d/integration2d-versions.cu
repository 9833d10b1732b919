// Lesson 06, the ladder: the double integral in five versions, beside the limit of the device's
// multiply-adds.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/06-integration2d/integration2d-versions.cu -o integral
// Run:   ./integral [n]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

// Every kernel adds sin(x + y) over the centres of n x n squares of side h, x = h (i + 0.5) and
// y = h (j + 0.5), and writes its sums to `sums`: one per row, or one per block.
constexpr int block = 128; // threads per block: a power of two, for block_sum

// The sum of row i.
__device__ double row_sum(int n, double h, int i) {
  double sum = 0;
  for (int j = 0; j < n; ++j)
    sum += sin(h * (i + 0.5) + h * (j + 0.5));
  return sum;
}

// 1. One sum per row.
__global__ void plain(int n, double h, double *sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sums[i] = row_sum(n, h, i);
}

// Adds up the values of a block's threads in shared memory and writes the sum to the block's place.
// Every thread of the block has to call it, once.
__device__ void block_sum(double value, double *sums) {
  __shared__ double shared[block];
  shared[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.y * gridDim.x + blockIdx.x] = shared[0];
}

// 2. The same rows, one sum per block.
__global__ void block_sums(int n, double h, double *sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  block_sum(i < n ? row_sum(n, h, i) : 0, sums);
}

// 3. More threads than rows: a grid-stride loop in both directions.
__global__ void plane(int n, double h, double *sums) {
  double sum = 0;
  for (int i = blockIdx.y; i < n; i += gridDim.y)
    for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < n; j += gridDim.x * blockDim.x)
      sum += sin(h * (i + 0.5) + h * (j + 0.5));
  block_sum(sum, sums);
}

// Sine and cosine of the angle h (k + 0.5); two zeros, which change no sum, where there is no
// point.
template <class T> __device__ void direction(int n, double h, int k, T &sine, T &cosine) {
  double s = 0, c = 0;
  if (k < n)
    sincos(h * (k + 0.5), &s, &c);
  sine = s, cosine = c;
}

// 4 and 5. No sine per point: rotating the direction x by the angle y gives
//   sin(x + y) = sin x cos y + cos x sin y.
// A block keeps the rotations by `tile` angles y in shared memory, and each of its threads keeps
// the directions of `rows` angles x in registers. T is the type of each row's sum over a tile.
constexpr int rows = 16, tile = 1024;
template <class T> __global__ void rotated(int n, double h, double *sums) {
  __shared__ T sin_y[tile], cos_y[tile];
  T sin_x[rows], cos_x[rows], row[rows] = {};
  for (int k = threadIdx.x; k < tile; k += block)
    direction(n, h, blockIdx.y * tile + k, sin_y[k], cos_y[k]);
  for (int r = 0; r < rows; ++r)
    direction(n, h, (blockIdx.x * rows + r) * block + threadIdx.x, sin_x[r], cos_x[r]);
  __syncthreads(); // each thread reads what all threads have written
  for (int k = 0; k < tile; ++k)
    for (int r = 0; r < rows; ++r) {
      row[r] += sin_x[r] * cos_y[k];
      row[r] += cos_x[r] * sin_y[k];
    }
  double sum = 0;
  for (int r = 0; r < rows; ++r)
    sum += row[r];
  block_sum(sum, sums);
}

// The limit: multiply-adds (FMA) and nothing else, in chains that do not wait for each other.
constexpr int chains = 24; // per thread
template <class T> __global__ void multiply_add(int steps, T factor, double *results) {
  T x[chains];
  for (int k = 0; k < chains; ++k)
    x[k] = k;
  for (int step = 0; step < steps; ++step)
    for (int k = 0; k < chains; ++k)
      x[k] = x[k] * factor + factor;
  T sum = 0;
  for (int k = 0; k < chains; ++k)
    sum += x[k];
  results[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The grids: one thread per row; enough blocks for the whole device; one block per tile.
int blocks_for(int n, int size) { return (n + size - 1) / size; }
dim3 grid_of_rows(int n) { return dim3(blocks_for(n, block)); }
dim3 grid_of_device(int) { return dim3(8, 8 * course::multiprocessors()); }
dim3 grid_of_tiles(int n) { return dim3(blocks_for(n, rows * block), blocks_for(n, tile)); }

struct Version {
  const char *what;
  void (*kernel)(int n, double h, double *sums);
  dim3 (*grid)(int n);
  double rounding; // of the answer, for an area of 1
  double limit;    // points per second
};

// The integral of sin(x + y) over [0, a] x [0, a] from n x n points, host to host. d_sums: device
// memory for the kernel's sums: one per row from `plain`, one per block from the others.
double integral(const Version &version, int n, double a, double *d_sums) {
  const double h = a / n;
  const dim3 grid = version.grid(n);
  version.kernel<<<grid, block>>>(n, h, d_sums);
  CUDA_CHECK(cudaGetLastError());
  std::vector<double> sums(version.kernel == plain ? n : grid.x * grid.y);
  const std::size_t bytes = sums.size() * sizeof(double);
  // The copy waits for the kernel.
  CUDA_CHECK(cudaMemcpy(sums.data(), d_sums, bytes, cudaMemcpyDeviceToHost));
  return h * h * std::accumulate(sums.begin(), sums.end(), 0.0);
}

// Multiply-adds per second of the whole device, for numbers of type T.
template <class T> double multiply_add_rate() {
  const int blocks = 16 * course::multiprocessors(), steps = course::size(10000, 1000);
  double *d_results;
  CUDA_CHECK(cudaMalloc(&d_results, blocks * block * sizeof(double)));
  const double seconds = course::gpu_seconds(5, [&] {
    multiply_add<T><<<blocks, block>>>(steps, T(0.999), d_results);
    CUDA_CHECK(cudaGetLastError());
  });
  CUDA_CHECK(cudaFree(d_results));
  return double(chains) * steps * blocks * block / seconds;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int standard = course::size(102'400, 4000);
  const int n = int(course::count_argument(argc, argv, 1, "n", standard, 1'000'000));
  const double pi = 3.14159265358979323846, points = double(n) * n;
  std::printf("n = %d: %.0f points\n", n, points);

  // The limits: a point of `rotated` costs two multiply-adds.
  const double limit_double = multiply_add_rate<double>() / 2;
  const double limit_float = multiply_add_rate<float>() / 2;

  const Version versions[] = {
      {"plain", plain, grid_of_rows, 1e-11, limit_double},
      {"block sums", block_sums, grid_of_rows, 1e-11, limit_double},
      {"plane", plane, grid_of_device, 1e-11, limit_double},
      {"rotated, double", rotated<double>, grid_of_tiles, 1e-11, limit_double},
      {"rotated, float", rotated<float>, grid_of_tiles, 1e-7, limit_float}};
  const dim3 whole = grid_of_device(n);
  const std::size_t bytes = std::max<unsigned>(n + 1, whole.x * whole.y) * sizeof(double);
  double *d_sums;
  CUDA_CHECK(cudaMalloc(&d_sums, bytes));
  bool correct = true;
  std::vector<double> seconds;
  for (const auto &version : versions) {
    // The test of the page program: both squares.
    CUDA_CHECK(cudaMemset(d_sums, 0xFF, bytes)); // NaN, so that a stale sum cannot pass
    const double two = integral(version, n + 1, pi / 2, d_sums);
    double zero = NAN;
    seconds.push_back(
        course::host_seconds(course::size(5, 1), [&] { zero = integral(version, n, pi, d_sums); }));
    std::printf("\n%s:\nIntegral value is %e, Error is %e\n", version.what, zero, std::abs(zero));
    std::printf("Over [0, pi/2] x [0, pi/2] it is %.9f, Error is %e\n", two, std::abs(two - 2));
    std::printf("Time spent: %f seconds\n", seconds.back());

    const auto allowed = [&](double a) { return a * a * (a * a / points / 12 + version.rounding); };
    if (!(std::abs(zero) <= allowed(pi) && std::abs(two - 2) <= allowed(pi / 2))) {
      std::printf("  wrong: at most %.1e and %.1e are allowed\n", allowed(pi), allowed(pi / 2));
      correct = false;
    }
  }
  CUDA_CHECK(cudaFree(d_sums));

  // The rates, host to host, beside the limits.
  std::puts("");
  course::figure("limit: 2 multiply-adds a point, double", 1e-9 * limit_double, "Gpoint/s");
  course::figure("limit: 2 multiply-adds a point, float", 1e-9 * limit_float, "Gpoint/s");
  for (std::size_t k = 0; k < seconds.size(); ++k)
    course::figure(versions[k].what, 1e-9 * points / seconds[k], "Gpoint/s",
                   1e-9 * versions[k].limit, "the limit");
  std::puts("");
  return course::verdict(correct);
}
