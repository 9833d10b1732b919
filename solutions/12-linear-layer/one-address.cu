// Exercise 12-linear-layer/one-address: a bug hunt. All threads add to one address.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. exercises/12-linear-layer/one-address.cu -o one-address
// Run:   ./one-address
//
// For a few examples the gradient is right. For a million examples it is wrong in the fourth digit,
// and different in each run. The kernel is also much slower than a kernel that only reads the
// errors. There are two bugs.

#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"
#include "exercises/12-linear-layer/one-address.hpp"

#include <cstdio>
#include <vector>

// TODO 1: find the bug: how many digits of the sum are left for one more error?
using Sum = double;
// TODO end

__global__ void add_errors(int examples, const float *error, Sum *sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // TODO 2: find the bug: how many threads wait for the same address?
  Sum mine = i < examples ? error[i] : 0;
  for (int away = 16; away > 0; away /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, away);
  if (threadIdx.x % 32 == 0)
    atomicAdd(sum, mine);
  // TODO end
}

double one_address(int examples, const float *error) {
  const size_t bytes = examples * sizeof(float);
  float *d_error;
  Sum *d_sum, sum;
  CUDA_CHECK(cudaMalloc(&d_error, bytes));
  CUDA_CHECK(cudaMalloc(&d_sum, sizeof(Sum)));
  CUDA_CHECK(cudaMemcpy(d_error, error, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_sum, 0, sizeof(Sum)));
  add_errors<<<(examples + 255) / 256, 256>>>(examples, d_error, d_sum);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(&sum, d_sum, sizeof(Sum), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_error));
  CUDA_CHECK(cudaFree(d_sum));
  return 2 * double(sum) / examples;
}

int main() {
  course::print_device();
  const int examples = course::problem_size(17'000'000, 1'000'000);
  std::vector<float> error(examples);
  double sum = 0;
  for (int i = 0; i < examples; ++i) {
    error[i] = 0.1f + 0.001f * (i % 7);
    sum += error[i];
  }
  bool correct = true;
  for (int n : {7, examples}) {
    const double expected = 2 * (n == 7 ? 7 * 0.103 : sum) / n;
    const double gradient = one_address(n, error.data());
    std::printf("%8d examples: gradient %.7f, expected %.7f\n", n, gradient, expected);
    correct = course::verify_value("gradient", gradient, expected, n == 7 ? 1e-6 : 1e-9) && correct;
  }
  return course::verdict(correct);
}
