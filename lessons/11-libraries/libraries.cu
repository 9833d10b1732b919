// Lesson 11: the squared distance between two arrays: C++ standard library, Thrust, our own kernel.
//
// Build: nvcc -O3 -std=c++17 -arch=sm_75 -I. lessons/11-libraries/libraries.cu -o libraries
// Run:   ./libraries [n]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cstdio>
#include <cuda/std/functional>
#include <functional>
#include <numeric>
#include <thrust/device_vector.h>
#include <thrust/inner_product.h>
#include <vector>

// An object that is called like a function, on the host or on the device.
// [operation]
struct SquaredDifference {
  __host__ __device__ double operator()(float x, float y) const {
    const double difference = double(x) - y;
    return difference * difference;
  }
};
// [end]

// [standard]
double by_standard_library(const std::vector<float> &a, const std::vector<float> &b) {
  // begins with 0.0, and adds the squared difference of each pair
  return std::transform_reduce(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
                               SquaredDifference());
}
// [end]

// [thrust]
double by_thrust(const thrust::device_vector<float> &a, const thrust::device_vector<float> &b) {
  return thrust::inner_product(a.begin(), a.end(), b.begin(), 0.0, cuda::std::plus<>(),
                               SquaredDifference());
}
// [end]

// Our own kernel: many elements per thread, then shuffles, as in lesson 07.
// [kernel]
__global__ void add_squares(const float *a, const float *b, int n, double *sum) {
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const double difference = double(a[i]) - b[i];
    mine += difference * difference;
  }
  for (int half = 16; half > 0; half /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, half);
  if (threadIdx.x % 32 == 0)
    atomicAdd(sum, mine);
}
// [end]

double by_own_kernel(const thrust::device_vector<float> &a, const thrust::device_vector<float> &b,
                     thrust::device_vector<double> &sum) {
  sum[0] = 0; // copies the 0 to the device
  add_squares<<<8 * course::multiprocessors(), 256>>>(a.data().get(), b.data().get(), a.size(),
                                                      sum.data().get());
  CUDA_CHECK(cudaGetLastError());
  return sum[0]; // waits for the kernel, and copies its result to the host
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  const int standard = course::problem_size(100'000'003, 1'000'003); // fewer without a GPU
  const int n = course::count_argument(argc, argv, 1, "n", standard, 500'000'000);
  std::printf("squared distance between two arrays of %d floats\n\n", n);

  std::vector<float> a(n), b(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    a[i] = i % 1009;
    b[i] = i % 997 / 4.0f; // all squares and sums are exact in double
    expected += (i % 1009 - i % 997 / 4.0) * (i % 1009 - i % 997 / 4.0);
  }

  bool correct = true;
  double result;
  const auto print = [&](const char *name, double seconds) {
    correct &= course::verify_value(name, result, expected);
    std::printf("  %-34s %9.3f ms %8.1f GB/s\n", name, 1e3 * seconds, 8e-9 * n / seconds);
  };
  print("C++ standard library, one CPU core",
        course::host_seconds(3, [&] { result = by_standard_library(a, b); }));

  // [copies]
  const thrust::device_vector<float> d_a = a, d_b = b; // allocates, and copies to the device
  // [end]
  print("Thrust, data on the device",
        course::gpu_seconds(5, [&] { result = by_thrust(d_a, d_b); }));
  print("Thrust, including the copies", course::host_seconds(course::problem_size(5, 1), [&] {
          const thrust::device_vector<float> x = a, y = b;
          result = by_thrust(x, y);
        }));
  thrust::device_vector<double> sum(1);
  print("own kernel, data on the device",
        course::gpu_seconds(5, [&] { result = by_own_kernel(d_a, d_b, sum); }));
  return course::verdict(correct);
}
