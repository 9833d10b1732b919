// Lesson 03: add two arrays on the GPU: allocate, copy, launch, copy back, free.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/03-add-list/add-list.cu -o add-list
// Run:   ./add-list [n]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

// c = a + b, n elements each: one thread per element.
// [kernel]
__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
// [end]

// The same on one CPU core.
void add_on_cpu(const float *a, const float *b, float *c, int n) {
  for (int i = 0; i < n; ++i)
    c[i] = a[i] + b[i];
}

// The same on the GPU, for arrays in host memory. seconds[k]: how long step k + 1 takes.
void add_on_gpu(const float *a, const float *b, float *c, int n, double *seconds) {
  const course::Timer clock;
  // [steps]
  const std::size_t bytes = n * sizeof(float);
  float *d_a, *d_b, *d_c;              // d_: device memory
  CUDA_CHECK(cudaMalloc(&d_a, bytes)); // 1. allocate
  CUDA_CHECK(cudaMalloc(&d_b, bytes));
  CUDA_CHECK(cudaMalloc(&d_c, bytes));
  seconds[0] = clock.seconds();
  CUDA_CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice)); // 2. copy to the device
  CUDA_CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
  seconds[1] = clock.seconds();
  add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n); // 3. launch, in blocks of 256 threads
  CUDA_CHECK(cudaGetLastError());                  // was the launch accepted?
  CUDA_CHECK(cudaDeviceSynchronize());             // wait until the kernel has ended
  seconds[2] = clock.seconds();
  CUDA_CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost)); // 4. copy back
  seconds[3] = clock.seconds();
  CUDA_CHECK(cudaFree(d_a)); // 5. free
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  // [end]
  seconds[4] = clock.seconds();
  for (int step = 4; step > 0; --step)
    seconds[step] -= seconds[step - 1];
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  std::size_t free_bytes, total_bytes;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  const long most = std::min<std::size_t>(free_bytes / (3 * sizeof(float)), 2'000'000'000);
  const int n = course::count_argument(argc, argv, 1, "n", 100'000'000, most);
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = i % 1009;
    b[i] = i % 2003 / 4.0f;
  }
  const auto expected = [](std::size_t i) { return i % 1009 + i % 2003 / 4.0; };

  const int runs = course::size(11, 1);        // fewer without a GPU
  add_on_cpu(a.data(), b.data(), c.data(), n); // the first call of each function is not timed
  const double cpu =
      course::host_seconds(runs, [&] { add_on_cpu(a.data(), b.data(), c.data(), n); });
  bool correct = course::verify("CPU function", c.data(), n, expected);

  double step[5];
  std::fill(c.begin(), c.end(), NAN); // a result of the CPU must not pass for one of the GPU
  add_on_gpu(a.data(), b.data(), c.data(), n, step);
  const double gpu =
      course::host_seconds(runs, [&] { add_on_gpu(a.data(), b.data(), c.data(), n, step); });
  correct = course::verify("GPU function", c.data(), n, expected) && correct;

  std::printf("3 arrays of %d floats, %.2f GB each\n\n", n, 4e-9 * n);
  std::printf("CPU function took %f seconds.\nGPU function took %f seconds:\n", cpu, gpu);
  std::printf("  allocate            %8.3f ms\n", 1e3 * step[0]);
  std::printf("  copy a and b        %8.3f ms  %7.1f GB/s\n", 1e3 * step[1], 8e-9 * n / step[1]);
  std::printf("  kernel              %8.3f ms  %7.1f GB/s\n", 1e3 * step[2], 12e-9 * n / step[2]);
  std::printf("  copy c back         %8.3f ms  %7.1f GB/s\n", 1e3 * step[3], 4e-9 * n / step[3]);
  std::printf("  free                %8.3f ms\n\n", 1e3 * step[4]);
  return course::verdict(correct);
}
