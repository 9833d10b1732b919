// Exercise 12-linear-layer/bias-gradient: the gradient with respect to the biases.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/12-linear-layer/bias-gradient.cu -o bias-gradient
// Run:   ./bias-gradient
//
// The loss is the mean of all squared errors. There are examples * outputs errors.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/12-linear-layer/bias-gradient.hpp"

#include <cstdio>
#include <vector>

// One thread per output. Neighbouring threads read neighbouring errors.
__global__ void gradients(int examples, int outputs, const float *error, float *gradient) {
  const int o = blockIdx.x * blockDim.x + threadIdx.x;
  if (o >= outputs)
    return;
  double sum = 0;
  // TODO 1: add this output's errors, and compute the gradient
  gradient[o] = sum;
  // TODO end
}

void bias_gradient(int examples, int outputs, const float *error, float *gradient) {
  const size_t error_bytes = size_t(examples) * outputs * sizeof(float);
  const size_t gradient_bytes = outputs * sizeof(float);
  float *d_error, *d_gradient;
  CUDA_CHECK(cudaMalloc(&d_error, error_bytes));
  CUDA_CHECK(cudaMalloc(&d_gradient, gradient_bytes));
  CUDA_CHECK(cudaMemcpy(d_error, error, error_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_gradient, 0xFF, gradient_bytes)); // NaN
  gradients<<<(outputs + 127) / 128, 128>>>(examples, outputs, d_error, d_gradient);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(gradient, d_gradient, gradient_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_error));
  CUDA_CHECK(cudaFree(d_gradient));
}

int main() {
  course::print_device();
  const int examples = 1000, outputs = 3;
  std::vector<float> error(examples * outputs), gradient(outputs);
  for (int i = 0; i < examples * outputs; ++i)
    error[i] = 0.5f * (i % outputs) + 0.25f * (i % 4) - 0.375f; // mean values: 0, 0.5 and 1
  bias_gradient(examples, outputs, error.data(), gradient.data());
  for (int o = 0; o < outputs; ++o)
    std::printf("output %d: bias gradient %.6f\n", o, gradient[o]);
  return course::verdict(course::verify(
      "gradient", gradient.data(), outputs, [](size_t o) { return 2 * 0.5 * o / 3; }, 1e-6));
}
