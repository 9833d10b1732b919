// Lesson 06: a double integral: the threads of a block add up in shared memory, step by step.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/06-integration2d/integration2d.cu -o integration2d
// Run:   ./integration2d [n]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

constexpr int block = 128; // threads per block: a power of two, so that it can be halved down to 1

// The sum of row i: sin(x + y) at the centres of its n squares of side h.
__device__ double row_sum(int n, double h, int i) {
  double sum = 0;
  for (int j = 0; j < n; ++j)
    sum += sin(h * (i + 0.5) + h * (j + 0.5));
  return sum;
}

// One sum per row.
__global__ void plain(int n, double h, double *sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return; // no barrier follows: a thread without a row may leave
  sums[i] = row_sum(n, h, i);
}

// One sum per block of rows.
// [kernel]
__global__ void block_sums(int n, double h, double *sums) {
  __shared__ double shared[block]; // one place for each thread of the block
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  shared[t] = i < n ? row_sum(n, h, i) : 0; // no row: 0, which changes no sum
  __syncthreads();                          // all threads have written
  for (int half = block / 2; half > 0; half /= 2) {
    if (t < half)
      shared[t] += shared[t + half];
    __syncthreads(); // outside the if: all threads of the block reach it
  }
  if (t == 0)
    sums[blockIdx.x] = shared[0];
}
// [end]

struct Version {
  const char *what;
  void (*kernel)(int n, double h, double *sums);
  int rows_per_sum;
};

// The integral of sin(x + y) over [0, a] x [0, a] from n x n points, host to host.
// d_sums: device memory for at least n numbers.
double integral(const Version &version, int n, double a, double *d_sums) {
  const double h = a / n;
  version.kernel<<<(n + block - 1) / block, block>>>(n, h, d_sums);
  CUDA_CHECK(cudaGetLastError());
  std::vector<double> sums((n + version.rows_per_sum - 1) / version.rows_per_sum);
  const std::size_t bytes = sums.size() * sizeof(double);
  // The copy waits for the kernel.
  CUDA_CHECK(cudaMemcpy(sums.data(), d_sums, bytes, cudaMemcpyDeviceToHost));
  return h * h * std::accumulate(sums.begin(), sums.end(), 0.0);
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int standard = course::size(102'400, 4000);
  const int n = int(course::count_argument(argc, argv, 1, "n", standard, 1'000'000));
  const double pi = 3.14159265358979323846, points = double(n) * n;
  std::printf("n = %d: %.0f points\n", n, points);

  const std::size_t bytes = (n + 1) * sizeof(double);
  double *d_sums;
  CUDA_CHECK(cudaMalloc(&d_sums, bytes));
  bool correct = true;
  for (const Version &version : {Version{"plain", plain, 1}, {"block sums", block_sums, block}}) {
    // 1. A quarter of the square, where the integral is 2; n + 1 points, so that the last block is
    //    not full.
    CUDA_CHECK(cudaMemset(d_sums, 0xFF, bytes)); // NaN, so that a stale sum cannot pass
    const double two = integral(version, n + 1, pi / 2, d_sums);

    // 2. The whole square, and its time. Here the integral is 0, and so is the sum of a kernel that
    //    does nothing.
    double zero = NAN;
    const double seconds =
        course::host_seconds(course::size(5, 1), [&] { zero = integral(version, n, pi, d_sums); });
    std::printf("\n%s:\nIntegral value is %e, Error is %e\n", version.what, zero, std::abs(zero));
    std::printf("Over [0, pi/2] x [0, pi/2] it is %.9f, Error is %e\n", two, std::abs(two - 2));
    std::printf("Time spent: %f seconds\n", seconds);

    // 3. The error of the method is at most a^4 / (12 n^2); 1e-11 of the area is for rounding.
    // [test]
    const auto allowed = [&](double a) { return a * a * (a * a / points / 12 + 1e-11); };
    if (!(std::abs(zero) <= allowed(pi) && std::abs(two - 2) <= allowed(pi / 2))) {
      std::printf("  wrong: at most %.1e and %.1e are allowed\n", allowed(pi), allowed(pi / 2));
      correct = false;
    }
    // [end]
  }
  CUDA_CHECK(cudaFree(d_sums));
  std::puts("");
  return course::verdict(correct);
}
