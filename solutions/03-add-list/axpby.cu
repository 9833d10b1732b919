// Exercise 03-add-list/axpby: y = a x + b y, in place and in five steps.
//
// Build: nvcc -O3 -std=c++17 -I. exercises/03-add-list/axpby.cu -o axpby
// Run:   ./axpby
//
// The lesson's c was only written; here y is both input and output, so it has to travel both ways.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/03-add-list/axpby.hpp"

#include <cstdio>
#include <vector>

__global__ void combine(int n, float a, const float *x, float b, float *y) {
  // TODO 1: the new value of this thread's element, if it has one
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + b * y[i];
  // TODO end
}

void axpby(int n, float a, const float *x, float b, float *y) {
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr;

  // TODO 2: memory on the device for both lists
  CUDA_CHECK(cudaMalloc(&d_x, bytes));
  CUDA_CHECK(cudaMalloc(&d_y, bytes));
  // TODO end

  // TODO 3: both lists to the device
  CUDA_CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));
  // TODO end

  // TODO 4: a launch with a thread for each element, and its error
  const int block = 256;
  combine<<<(n + block - 1) / block, block>>>(n, a, d_x, b, d_y);
  CUDA_CHECK(cudaGetLastError());
  // TODO end

  // TODO 5: the answer back to the host
  CUDA_CHECK(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost));
  // TODO end

  // TODO 6: the memory free again
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  // TODO end
}

int main() {
  course::print_device();
  const int n = 1000003;
  const float a = 2, b = -0.5f;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = i % 1000;
    y[i] = i % 77;
  }
  const std::vector<float> before = y;

  axpby(n, a, x.data(), b, y.data());
  if (y == before) {
    std::puts("no result: y is as it was. Are TODO 1 to TODO 6 filled in, and does y come back?");
    return EXIT_FAILURE;
  }
  bool correct = course::verify("first call: y", y.data(), n,
                                [&](size_t i) { return a * x[i] + b * before[i]; });

  // A second call with half of the list: the rest must stay.
  const std::vector<float> once = y;
  axpby(n / 2, a, x.data(), b, y.data());
  correct =
      course::verify("second call: y", y.data(), n,
                     [&](size_t i) { return i < n / 2 ? a * x[i] + b * once[i] : once[i]; }) &&
      correct;
  return course::verdict(correct);
}
