// Exercise 12-linear-layer/gradient-check: compare a gradient with finite differences.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/12-linear-layer/gradient-check.cu -o gradient-check
// Run:   ./gradient-check
//
// With a wrong gradient the loss often still falls, only more slowly. An estimate of a derivative
// needs no formula: change one weight a little in both directions, and compare the losses.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/12-linear-layer/gradient-check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

// The loss, with `shift` added to weight i.
__device__ double loss(int examples, int features, const double *x, const double *target,
                       const double *w, int i, double shift) {
  double squares = 0;
  for (int row = 0; row < examples; ++row) {
    double error = -target[row];
    for (int k = 0; k < features; ++k)
      error += x[row * features + k] * (k == i ? w[k] + shift : w[k]);
    squares += error * error;
  }
  return squares / examples;
}

// One thread per weight.
__global__ void differences(int examples, int features, const double *x, const double *target,
                            const double *w, double *estimate) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= features)
    return;
  // TODO 1: how fast does the loss change with weight i? Which shift is a good choice?
  const double h = 1e-3;
  const double above = loss(examples, features, x, target, w, i, h);
  const double below = loss(examples, features, x, target, w, i, -h);
  estimate[i] = (above - below) / (2 * h);
  // TODO end
}

// The first i for which gradient[i] is NaN or too far from estimate[i], or -1.
int first_wrong(int features, const double *gradient, const double *estimate) {
  double largest = 0;
  for (int i = 0; i < features; ++i)
    largest = std::max(largest, std::abs(estimate[i]));
  // TODO 2: compare, with the tolerance of the specification
  for (int i = 0; i < features; ++i)
    if (!(std::abs(gradient[i] - estimate[i]) <= 1e-3 * largest))
      return i;
  // TODO end
  return -1;
}

int gradient_check(int examples, int features, const double *x, const double *target,
                   const double *w, const double *gradient, double *estimate) {
  const auto on_device = [](const double *values, size_t count) {
    double *d_values;
    CUDA_CHECK(cudaMalloc(&d_values, count * sizeof(double)));
    CUDA_CHECK(cudaMemcpy(d_values, values, count * sizeof(double), cudaMemcpyHostToDevice));
    return d_values;
  };
  double *d_x = on_device(x, size_t(examples) * features), *d_w = on_device(w, features);
  double *d_target = on_device(target, examples), *d_estimate;
  CUDA_CHECK(cudaMalloc(&d_estimate, features * sizeof(double)));
  CUDA_CHECK(cudaMemset(d_estimate, 0xFF, features * sizeof(double))); // NaN
  differences<<<(features + 63) / 64, 64>>>(examples, features, d_x, d_target, d_w, d_estimate);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(estimate, d_estimate, features * sizeof(double), cudaMemcpyDeviceToHost));
  for (double *memory : {d_x, d_w, d_target, d_estimate})
    CUDA_CHECK(cudaFree(memory));
  return first_wrong(features, gradient, estimate);
}

// The gradient by its formula: 2 / examples * X^T (X w - target).
std::vector<double> by_formula(const std::vector<double> &x, const std::vector<double> &target,
                               const std::vector<double> &w) {
  const int examples = target.size(), features = w.size();
  std::vector<double> gradient(features);
  for (int row = 0; row < examples; ++row) {
    double error = -target[row];
    for (int i = 0; i < features; ++i)
      error += x[row * features + i] * w[i];
    for (int i = 0; i < features; ++i)
      gradient[i] += 2 * error * x[row * features + i] / examples;
  }
  return gradient;
}

int main() {
  course::print_device();
  const int examples = 50, features = 4;
  std::vector<double> x(examples * features), target(examples), w(features), estimate(features);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = std::sin(1.0 + i);
  for (int row = 0; row < examples; ++row)
    target[row] = std::cos(row);
  for (int i = 0; i < features; ++i)
    w[i] = 0.25 * i - 0.5;

  std::vector<double> gradient = by_formula(x, target, w);
  const auto check = [&] {
    return gradient_check(examples, features, x.data(), target.data(), w.data(), gradient.data(),
                          estimate.data());
  };
  const int of_right = check();
  for (int i = 0; i < features; ++i)
    std::printf("weight %d: gradient %9.6f, by differences %9.6f\n", i, gradient[i], estimate[i]);
  gradient[2] *= 0.5;
  const int of_wrong = check();
  std::printf("first wrong weight: %d for the right gradient, %d with an error in weight 2\n",
              of_right, of_wrong);
  return course::verdict(of_right == -1 && of_wrong == 2);
}
