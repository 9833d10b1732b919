// Exercise 06-integration2d/early-exit: a bug hunt. Threads return early, and every kernel passes
// the test.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/06-integration2d/early-exit.cu -o early-exit
// Run:   ./early-exit
//
// With n = 1024 this program is right, with n = 1001 it is wrong. Its test accepts every kernel,
// even one that does nothing. Fix the kernel first, then the test.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/06-integration2d/early-exit.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

const double pi = std::acos(-1.0);

// Writes the sum of sin(x + y) over the rows of this block to sums[blockIdx.x]. A block works on
// strips of blockDim.x rows, one row per thread: strip blockIdx.x, then every gridDim.x-th strip.
__global__ void integrate(int n, double h, double *sums) {
  extern __shared__ double shared[]; // blockDim.x elements
  double total = 0;
  for (int first = blockIdx.x * blockDim.x; first < n; first += gridDim.x * blockDim.x) {
    const int i = first + threadIdx.x;
    double sum = 0;
    // TODO 1: find the bug: the last strip may have fewer rows than the block has threads
    if (i < n)
      for (int j = 0; j < n; ++j)
        sum += sin(h * (i + 0.5) + h * (j + 0.5));
    // TODO end
    shared[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
      if (threadIdx.x < half)
        shared[threadIdx.x] += shared[threadIdx.x + half];
      __syncthreads();
    }
    if (threadIdx.x == 0)
      total += shared[0];
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = total;
}

// Makes a kernel wrong on purpose: multiplies each sum by `factor`.
__global__ void scale(double factor, double *sums) {
  if (threadIdx.x == 0)
    sums[blockIdx.x] *= factor;
}

// The integral over [0, a] x [0, a], computed by kernel 0 to 4 of early-exit.hpp.
double integral(int n, double a, int grid, int block, int kernel) {
  const double h = a / n;
  double *d_sums = nullptr;
  CUDA_CHECK(cudaMalloc(&d_sums, grid * sizeof(double)));
  CUDA_CHECK(cudaMemset(d_sums, 0, grid * sizeof(double)));
  const double factors[] = {1, 0, 0.5, 2, NAN};
  if (kernel != 1) {
    integrate<<<grid, block, block * sizeof(double)>>>(n, h, d_sums);
    CUDA_CHECK(cudaGetLastError());
    scale<<<grid, 1>>>(factors[kernel], d_sums);
    CUDA_CHECK(cudaGetLastError());
  }
  std::vector<double> sums(grid);
  CUDA_CHECK(cudaMemcpy(sums.data(), d_sums, grid * sizeof(double), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_sums));
  double total = 0;
  for (double sum : sums)
    total += sum;
  return h * h * total;
}

Tested early_exit(int n, int grid, int block, int kernel) {
  Tested tested;
  tested.integral = integral(n, pi / 2, grid, block, kernel);

  // TODO 2: find the bugs: which wrong results does this test accept?
  const double a = pi / 2, expected = 2;
  const double error = std::abs(integral(n, a, grid, block, kernel) - expected);
  tested.accepted = error <= 1e-3;
  // TODO end
  return tested;
}

int main() {
  course::print_device();
  const int n = 1001, block = 16;
  bool correct = true;

  const int grids[] = {(n + block - 1) / block, 4};
  for (int grid : grids) {
    const double value = early_exit(n, grid, block, 0).integral;
    std::printf("%2d blocks of %d threads, %d rows: the integral is %.9f\n", grid, block, n, value);
    correct = course::verify_value("integral", value, 2.0, 1e-3) && correct;
  }

  const char *kernels[] = {"integrate", "nothing", "half", "twice", "NaN"};
  for (int kernel = 0; kernel < 5; ++kernel) {
    const bool accepted = early_exit(n, 4, block, kernel).accepted, wanted = kernel == 0;
    std::printf("the test %s %s%s\n", accepted ? "accepts" : "rejects", kernels[kernel],
                accepted == wanted ? "" : ", but should not");
    correct = correct && accepted == wanted;
  }
  return course::verdict(correct);
}
