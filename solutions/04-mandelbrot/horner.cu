// Exercise 04-mandelbrot/horner: one kernel instead of one per coefficient.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/04-mandelbrot/horner.cu -o horner
// Run:   ./horner
//
// Horner's rule: start with the last coefficient. Multiply the sum by x and add the previous
// coefficient, down to c[0].

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/04-mandelbrot/horner.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

__global__ void polynomial(int n, int degree, const double *c, const double *x, double *y) {
  // TODO 1: compute y for one point by Horner's rule, with the sum in a register
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = c[degree];
  for (int k = degree - 1; k >= 0; --k)
    sum = sum * x[i] + c[k];
  y[i] = sum;
  // TODO end
}

void horner(int n, int degree, const double *c, const double *x, double *y) {
  const size_t bytes = sizeof(double) * n;
  double *d_c = nullptr, *d_x = nullptr, *d_y = nullptr;
  CUDA_CHECK(cudaMalloc(&d_c, sizeof(double) * (degree + 1)));
  CUDA_CHECK(cudaMalloc(&d_x, bytes));
  CUDA_CHECK(cudaMalloc(&d_y, bytes));
  CUDA_CHECK(cudaMemcpy(d_c, c, sizeof(double) * (degree + 1), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_y, 0xFF, bytes)); // every double is NaN

  const int block = 256;
  // TODO 2: launch the kernel once, one thread per point
  polynomial<<<(n + block - 1) / block, block>>>(n, degree, d_c, d_x, d_y);
  // TODO end
  CUDA_CHECK(cudaGetLastError());

  CUDA_CHECK(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_c));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
}

int main() {
  course::print_device();
  // The first terms of the series for e^x.
  const int n = 1003, degree = 20;
  std::vector<double> c(degree + 1, 1.0), x(n), y(n);
  for (int k = 1; k <= degree; ++k)
    c[k] = c[k - 1] / k;
  for (int i = 0; i < n; ++i)
    x[i] = -1 + 2.0 * i / n;
  horner(n, degree, c.data(), x.data(), y.data());
  if (std::isnan(y[0]) && std::isnan(y[n - 1])) {
    std::puts("no result yet: fill in TODO 1 and TODO 2");
    return 1;
  }
  std::printf("e^-1 is %.15f\n", y[0]);
  return course::verdict(course::verify(
      "y", y.data(), n, [&](size_t i) { return std::exp(x[i]); }, 1e-14));
}
