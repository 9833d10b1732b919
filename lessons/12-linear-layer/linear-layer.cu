// Lesson 12: one training step of a linear layer, and a check of its gradient.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/12-linear-layer/linear-layer.cu -o linear-layer
// Run:   ./linear-layer [examples]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>
constexpr int OUTPUTS = 10;
constexpr float RATE = 1; // the learning rate

// The errors e = x w^T - t of n examples. One thread per error.
// [forward]
__global__ void forward(const float *x, const float *w, const float *t, double *e, int n,
                        int cols) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / OUTPUTS, o = i % OUTPUTS;
  if (row >= n)
    return;
  double y = 0;
  for (int k = 0; k < cols; ++k)
    y += double(x[std::size_t(row) * cols + k]) * w[o * cols + k];
  e[i] = y - t[i];
}
// [end]

// The gradient 2 / (n OUTPUTS) e^T x, and a step against it. One thread per weight.
// [backward]
__global__ void backward(const float *x, const double *e, float *grad, float *w, int n, int cols) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, o = i / cols, k = i % cols;
  if (o >= OUTPUTS)
    return;
  double sum = 0;
  for (int row = 0; row < n; ++row)
    sum += e[row * OUTPUTS + o] * x[std::size_t(row) * cols + k];
  grad[i] = 2 * sum / (n * OUTPUTS);
  w[i] -= RATE * grad[i];
}
// [end]

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[examples]");
  course::print_device();
  const int n =
      course::count_argument(argc, argv, 1, "examples", course::problem_size(10000, 500), 50000);
  const int cols = course::problem_size(100000, 2000), errors = n * OUTPUTS,
            weights = cols * OUTPUTS;
  std::vector<float> x(std::size_t(n) * cols), t(errors), w(weights), grad(weights), after(weights);
  std::vector<double> e(errors);
  std::mt19937 random;
  for (auto *matrix : {&x, &t, &w})
    for (float &value : *matrix) // -3, -1, 1 or 3, divided by a power of 2: all sums are exact
      value = (2 * int(random() >> 30) - 3) / (matrix == &w ? 512.0f : 4.0f);
  float *d_x, *d_t, *d_w, *d_grad;
  double *d_e;
  CUDA_CHECK(cudaMalloc(&d_x, x.size() * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_t, errors * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_w, weights * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_grad, weights * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_e, errors * sizeof(double)));
  CUDA_CHECK(cudaMemcpy(d_x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_t, t.data(), errors * sizeof(float), cudaMemcpyHostToDevice));
  const auto loss = [&](std::vector<float> changed, int i = 0, float shift = 0) {
    changed[i] += shift;
    CUDA_CHECK(cudaMemcpy(d_w, changed.data(), weights * sizeof(float), cudaMemcpyHostToDevice));
    forward<<<(errors + 255) / 256, 256>>>(d_x, d_w, d_t, d_e, n, cols);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(e.data(), d_e, errors * sizeof(double), cudaMemcpyDeviceToHost));
    return std::inner_product(e.begin(), e.end(), e.begin(), 0.0) / errors;
  };
  // [step]
  const double before = loss(w);
  backward<<<(weights + 255) / 256, 256>>>(d_x, d_e, d_grad, d_w, n, cols);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(grad.data(), d_grad, weights * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(after.data(), d_w, weights * sizeof(float), cudaMemcpyDeviceToHost));
  // [end]
  bool correct = course::verify("new weight", after.data(), weights,
                                [&](std::size_t i) { return w[i] - RATE * grad[i]; });
  for (int i = 0; i < errors; i += 1 + x.size() / 10'000'000) { // all, or one in a hundred
    const float *row = &x[std::size_t(i / OUTPUTS) * cols];
    const double y = std::inner_product(row, row + cols, &w[i % OUTPUTS * cols], 0.0);
    correct = course::verify_value("error", e[i], y - t[i]) && correct;
  }
  // [check]
  const float h = 1 / 64.0f;
  for (int i = weights - 1; i >= 0; i -= 1 + weights / 7) {
    const double estimate = (loss(w, i, h) - loss(w, i, -h)) / (2 * h);
    std::printf("weight %7d: gradient %12.9f, by differences %12.9f\n", i, grad[i], estimate);
    correct = course::verify_value("gradient", grad[i], estimate, 1e-6) && correct;
  }
  // [end]
  std::printf("%d examples, %d features: loss %g, after a step %g\n", n, cols, before, loss(after));
  for (void *memory : std::initializer_list<void *>{d_x, d_t, d_w, d_grad, d_e})
    CUDA_CHECK(cudaFree(memory));
  return course::verdict(correct);
}
