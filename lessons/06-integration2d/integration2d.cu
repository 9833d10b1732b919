// Lesson 06: a double integral. The threads of a block add their values in shared memory.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/06-integration2d/integration2d.cu -o integration2d
// Run:   ./integration2d [n]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

constexpr int BLOCK = 128; // threads per block, a power of two

// Version 1: one thread per column, one sum per column.
// [plain]
__device__ double column_sum(int n, double h, int i) {
  double sum = 0;
  for (int j = 0; j < n; ++j)
    sum += sin(h * (i + 0.5) + h * (j + 0.5)); // the centre of square (i, j)
  return sum;
}

__global__ void plain(int n, double h, double *sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sums[i] = column_sum(n, h, i);
}
// [end]

// Version 2: one sum per block.
// [block-sums]
__global__ void block_sums(int n, double h, double *sums) {
  __shared__ double shared[BLOCK]; // one element per thread of the block
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  shared[t] = i < n ? column_sum(n, h, i) : 0; // a thread without a column contributes 0
  __syncthreads();                             // all elements are written
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (t < half)
      shared[t] += shared[t + half];
    __syncthreads(); // outside the if: every thread of the block reaches it
  }
  if (t == 0)
    sums[blockIdx.x] = shared[0];
}
// [end]

using Kernel = void (*)(int n, double h, double *sums);

// The integral of sin(x + y) over [0, a] x [0, a], from n x n points. The kernel writes one sum for
// every `columns` columns.
double integral(Kernel kernel, int columns, int n, double a, const course::Buffer<double> &d_sums) {
  const double h = a / n; // side of a small square
  kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(n, h, d_sums.data());
  CUDA_CHECK(cudaGetLastError());

  std::vector<double> sums((n + columns - 1) / columns);
  const std::size_t bytes = sums.size() * sizeof(double);
  CUDA_CHECK(cudaMemcpy(sums.data(), d_sums.data(), bytes, cudaMemcpyDeviceToHost));
  return h * h * std::accumulate(sums.begin(), sums.end(), 0.0);
}

const double pi = std::acos(-1.0);

// True if the errors of both integrals are small enough.
// [test]
bool is_correct(double zero, double two, double points) {
  const auto allowed = [&](double a) { return a * a * (a * a / points / 12 + 1e-11); };
  if (!(std::abs(zero) <= allowed(pi) && std::abs(two - 2) <= allowed(pi / 2))) {
    std::printf("  wrong: at most %.1e and %.1e are allowed\n", allowed(pi), allowed(pi / 2));
    return false;
  }
  return true;
}
// [end]

// Runs a version, prints its results and its time, and tests them.
bool run(const char *name, Kernel kernel, int columns, int n,
         const course::Buffer<double> &d_sums) {
  CUDA_CHECK(cudaMemset(d_sums.data(), 0xFF, d_sums.bytes())); // NaN in every element
  // n + 1 columns: the last block is not full.
  const double two = integral(kernel, columns, n + 1, pi / 2, d_sums);
  double zero = NAN;
  const double seconds = course::host_seconds(
      course::problem_size(5, 1), [&] { zero = integral(kernel, columns, n, pi, d_sums); });

  std::printf("\n%s:\nIntegral value is %e, Error is %e\n", name, zero, std::abs(zero));
  std::printf("Over [0, pi/2] x [0, pi/2] it is %.9f, Error is %e\n", two, std::abs(two - 2));
  std::printf("Time spent: %f seconds\n", seconds);
  return is_correct(zero, two, double(n) * n);
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int n =
      course::count_argument(argc, argv, 1, "n", course::problem_size(102'400, 4000), 1'000'000);
  std::printf("n = %d: %.0f points\n", n, double(n) * n);

  const course::Buffer<double> d_sums(n + 1);
  bool correct = run("plain", plain, 1, n, d_sums);
  correct &= run("block sums", block_sums, BLOCK, n, d_sums);
  std::puts("");
  return course::verdict(correct);
}
