// Lesson 03: add two lists on the GPU: allocate, copy, launch, check; and where the time goes.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/03-add-list/add-list.cu -o add-list
// Run:   ./add-list [n]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "lessons/03-add-list/lists.hpp"

#include <cstdio>
#include <vector>

// [kernel]
// c = a + b, n elements each: one thread per element.
__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
// [end]

// The same on one core, for lists in the memory of the host.
void add_on_cpu(const float *a, const float *b, float *c, int n) {
  for (int i = 0; i < n; ++i)
    c[i] = a[i] + b[i];
}

// The same on the device: the five steps of most CUDA programs. Returns the seconds of the kernel.
double add_on_gpu(const float *a, const float *b, float *c, int n) {
  // [steps]
  const std::size_t bytes = n * sizeof(float);
  float *d_a, *d_b, *d_c;              // d_: an address in the memory of the device
  CUDA_CHECK(cudaMalloc(&d_a, bytes)); // 1. allocate
  CUDA_CHECK(cudaMalloc(&d_b, bytes));
  CUDA_CHECK(cudaMalloc(&d_c, bytes));
  CUDA_CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice)); // 2. copy to the device
  CUDA_CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
  course::GpuTimer timer;
  timer.start();
  add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);               // 3. launch
  CUDA_CHECK(cudaGetLastError());                                // was it accepted?
  const double seconds = timer.seconds();                        // waits for the kernel
  CUDA_CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost)); // 4. copy back
  CUDA_CHECK(cudaFree(d_a));                                     // 5. free
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  // [end]
  return seconds;
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  const int n = int(course::count_argument(argc, argv, 1, "n", 100'000'000, 2'000'000'000));
  course::print_device();
  expect_room(argv[0], n);

  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = value_a(i);
    b[i] = value_b(i);
  }

  // Each function once before it is timed: the first call of add_on_gpu also loads the kernel.
  add_on_cpu(a.data(), b.data(), c.data(), n);
  bool correct = verify_and_clear("CPU function", c.data(), n);
  add_on_gpu(a.data(), b.data(), c.data(), n);
  correct = verify_and_clear("GPU function", c.data(), n) && correct;

  const int runs = course::size(11, 1);
  double kernel = 0;
  const double cpu =
      course::host_seconds(runs, [&] { add_on_cpu(a.data(), b.data(), c.data(), n); });
  const double gpu =
      course::host_seconds(runs, [&] { kernel = add_on_gpu(a.data(), b.data(), c.data(), n); });
  correct = verify_and_clear("GPU function, last call", c.data(), n) && correct;

  std::printf("CPU function took %f seconds.\n", cpu);
  std::printf("GPU function took %f seconds.\n", gpu);
  std::printf("   of which the kernel %f seconds: it moves 12 bytes per element, %.1f GB/s\n",
              kernel, 12e-9 * n / kernel);
  std::puts("   the rest is allocation, and copies between host and device\n");
  return course::verdict(correct);
}
