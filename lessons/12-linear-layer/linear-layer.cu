// Lesson 12: one training step of a linear layer, and a check of its gradient.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/12-linear-layer/linear-layer.cu -o linear-layer
// Run:   ./linear-layer [examples]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"

#include <cstddef>
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

// Random numbers: -3, -1, 1 or 3, divided by a power of 2, so that all sums are exact.
std::vector<float> random_numbers(std::mt19937 &random, std::size_t count, float divisor) {
  std::vector<float> numbers(count);
  for (float &number : numbers)
    number = (2 * int(random() >> 30) - 3) / divisor;
  return numbers;
}

// Compares the errors, of a large layer one in a hundred, with sums on the host.
bool verify_errors(const std::vector<float> &x, const std::vector<float> &w,
                   const std::vector<float> &t, const std::vector<double> &e, int cols) {
  bool correct = true;
  for (std::size_t i = 0; i < e.size(); i += 1 + x.size() / 10'000'000) {
    const float *row = &x[i / OUTPUTS * cols];
    const double y = std::inner_product(row, row + cols, &w[i % OUTPUTS * cols], 0.0);
    correct &= course::verify_value("error", e[i], y - t[i]);
  }
  return correct;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[examples]");
  course::print_device();
  const int n =
      course::count_argument(argc, argv, 1, "examples", course::problem_size(10000, 500), 50000);
  const int cols = course::problem_size(100000, 2000);
  const int errors = n * OUTPUTS, weights = cols * OUTPUTS;

  std::mt19937 random;
  const std::vector<float> x = random_numbers(random, std::size_t(n) * cols, 4);
  const std::vector<float> t = random_numbers(random, errors, 4);
  std::vector<float> w = random_numbers(random, weights, 512);
  const course::Buffer<float> d_x(x), d_t(t), d_w(weights), d_grad(weights);
  const course::Buffer<double> d_e(errors);

  const auto loss = [&](const std::vector<float> &trial) {
    CUDA_CHECK(cudaMemcpy(d_w.data(), trial.data(), d_w.bytes(), cudaMemcpyHostToDevice));
    forward<<<(errors + 255) / 256, 256>>>(d_x.data(), d_w.data(), d_t.data(), d_e.data(), n, cols);
    CUDA_CHECK(cudaGetLastError());
    const std::vector<double> e = d_e.to_host();
    return std::inner_product(e.begin(), e.end(), e.begin(), 0.0) / errors;
  };
  // [step]
  const double before = loss(w);
  backward<<<(weights + 255) / 256, 256>>>(d_x.data(), d_e.data(), d_grad.data(), d_w.data(), n,
                                           cols);
  CUDA_CHECK(cudaGetLastError());
  const std::vector<float> grad = d_grad.to_host(), after = d_w.to_host();
  // [end]

  bool correct = course::verify("new weight", after.data(), weights,
                                [&](std::size_t i) { return w[i] - RATE * grad[i]; });
  correct &= verify_errors(x, w, t, d_e.to_host(), cols);

  // [check]
  const float h = 1 / 64.0f;
  for (int i = weights - 1; i >= 0; i -= 1 + weights / 7) {
    const float kept = w[i];
    w[i] = kept + h;
    const double above = loss(w);
    w[i] = kept - h;
    const double below = loss(w);
    w[i] = kept;

    const double estimate = (above - below) / (2 * h);
    std::printf("weight %7d: gradient %12.9f, by differences %12.9f\n", i, grad[i], estimate);
    correct &= course::verify_value("gradient", grad[i], estimate, 1e-6);
  }
  // [end]
  std::printf("%d examples, %d features: loss %g, after a step %g\n", n, cols, before, loss(after));
  return course::verdict(correct);
}
