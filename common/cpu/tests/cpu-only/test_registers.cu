// A barrier switches stacks: whatever registers the compiler used before it hold the same values
// after it.
#include "cuda_test.hpp"

namespace {

// 40 integers and 40 floating-point numbers are alive across each barrier: more than a processor
// has registers.
template <class T> __device__ T sum_across_barrier(T first) {
  T values[40];
#pragma GCC unroll 40
  for (int i = 0; i < 40; ++i)
    values[i] = first * (i + 1);
  __syncthreads();
  T sum = 0;
#pragma GCC unroll 40
  for (int i = 0; i < 40; ++i)
    sum += values[i] * (i % 3 + 1);
  return sum;
}

__global__ void fill_registers(long *integers, double *numbers) {
  integers[threadIdx.x] = sum_across_barrier<long>(threadIdx.x + 3);
  numbers[threadIdx.x] = sum_across_barrier<double>(threadIdx.x + 0.5);
}

} // namespace

TEST_CASE("barrier: no register is lost") {
  long *integers;
  double *numbers;
  cudaMallocManaged(&integers, 64 * sizeof *integers);
  cudaMallocManaged(&numbers, 64 * sizeof *numbers);
  fill_registers<<<1, 64>>>(integers, numbers);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  long weight = 0;
  for (int i = 0; i < 40; ++i)
    weight += (i + 1) * (i % 3 + 1);
  for (int i = 0; i < 64; ++i) {
    CHECK(integers[i] == (i + 3) * weight);
    CHECK(numbers[i] == (i + 0.5) * weight);
  }
  cudaFree(integers);
  cudaFree(numbers);
}
