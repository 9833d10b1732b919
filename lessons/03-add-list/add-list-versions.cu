// Lesson 03, versions: the addition with different block sizes and with 16-byte loads, compared
// with a copy within device memory.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/03-add-list/add-list-versions.cu -o add-list-versions
// Run:   ./add-list-versions [n]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

// Version 1: one element per thread.
__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

// Version 2: four elements per thread. One instruction loads or stores a float4, 16 bytes. __ldcs
// and __stcs are streaming accesses: each value is used once, so the caches need not keep it. The
// last n % 4 elements do not fill a float4: the first threads add one of them each.
// [add4]
__global__ void add4(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, whole = n / 4;
  if (i < whole) {
    const float4 x = __ldcs(reinterpret_cast<const float4 *>(a) + i);
    const float4 y = __ldcs(reinterpret_cast<const float4 *>(b) + i);
    const float4 sum = {x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w};
    __stcs(reinterpret_cast<float4 *>(c) + i, sum);
  }
  if (i < n % 4)
    c[4 * whole + i] = a[4 * whole + i] + b[4 * whole + i];
}
// [end]

// Element i of a and of b.
float a_value(std::size_t i) { return i % 1009; }
float b_value(std::size_t i) { return i % 2003 / 4.0f; }

// Copies a to the device, from pinned memory, and prints the rate.
void copy_from_pinned(const course::Buffer<float> &d_a, const std::vector<float> &a, int runs) {
  float *pinned;
  CUDA_CHECK(cudaMallocHost(&pinned, d_a.bytes()));
  std::copy(a.begin(), a.end(), pinned);
  const double seconds = course::host_seconds(runs, [&] {
    CUDA_CHECK(cudaMemcpy(d_a.data(), pinned, d_a.bytes(), cudaMemcpyHostToDevice));
  });
  course::figure("copy a to the device, pinned", 1e-9 * d_a.bytes() / seconds, "GB/s",
                 {.seconds = seconds});
  CUDA_CHECK(cudaFreeHost(pinned));
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  std::size_t free_bytes, total_bytes;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  const long most = std::min<std::size_t>(free_bytes / (3 * sizeof(float)), 2'000'000'000);
  const int n = course::count_argument(argc, argv, 1, "n", 100'000'000, most);
  const int runs = course::problem_size(11, 1); // fewer without a GPU
  std::printf("3 arrays of %d floats, %.2f GB each\n", n, 4e-9 * n);

  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = a_value(i);
    b[i] = b_value(i);
  }
  const course::Buffer<float> d_a(n), d_b(b), d_c(n);
  copy_from_pinned(d_a, a, runs);

  if (course::peak_bandwidth() > 0)
    course::figure("peak of the memory", 1e-9 * course::peak_bandwidth(), "GB/s");
  const double copy_seconds = course::gpu_seconds(runs, [&] {
    CUDA_CHECK(cudaMemcpy(d_c.data(), d_a.data(), d_a.bytes(), cudaMemcpyDeviceToDevice));
  });
  const double copied = 2e-9 * d_a.bytes() / copy_seconds; // reads and writes
  course::figure("device copy", copied, "GB/s");

  bool correct = true;
  const auto run = [&](const char *what, auto launch) {
    CUDA_CHECK(cudaMemset(d_c.data(), 0xFF, d_c.bytes())); // NaN in every element
    const double seconds = course::gpu_seconds(runs, [&] {
      launch();
      CUDA_CHECK(cudaGetLastError());
    });
    course::figure(what, 3e-9 * d_c.bytes() / seconds, "GB/s",
                   {.limit = copied, .limit_is = "device copy"});
    const auto expected = [](std::size_t i) { return a_value(i) + b_value(i); };
    correct &= course::verify(what, d_c.to_host().data(), n, expected);
  };
  for (int block = 32; block <= 1024; block *= 2) {
    char what[40];
    std::snprintf(what, sizeof what, "add, %d threads per block", block);
    run(what,
        [&] { add<<<(n + block - 1) / block, block>>>(d_a.data(), d_b.data(), d_c.data(), n); });
  }
  run("add4, 16-byte loads",
      [&] { add4<<<((n + 3) / 4 + 255) / 256, 256>>>(d_a.data(), d_b.data(), d_c.data(), n); });
  return course::verdict(correct);
}
