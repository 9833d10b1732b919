// Lesson 10: add two arrays from host to host: one step after the other, then in two streams.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/10-streams/streams.cu -o streams
// Run:   ./streams [n chunk]
#include "common/arguments.hpp"
#include "common/buffer.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

struct Arrays {
  float *a, *b, *c; // n elements each, in host memory or in device memory
};

// The kernel of lesson 03.
__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

// Version 1: one step after the other, as in lesson 03.
void one_by_one(Arrays host, Arrays d, int n) {
  const std::size_t bytes = n * sizeof(float);
  CUDA_CHECK(cudaMemcpy(d.a, host.a, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d.b, host.b, bytes, cudaMemcpyHostToDevice));
  add<<<(n + 255) / 256, 256>>>(d.a, d.b, d.c, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(host.c, d.c, bytes, cudaMemcpyDeviceToHost));
}

// Version 2: the chunks take turns in two streams. Returns before the work is done.
void in_chunks(Arrays host, Arrays d, int n, int chunk, const cudaStream_t *streams) {
  // [chunks]
  for (int first = 0, k = 0; first < n; first += chunk, ++k) {
    const cudaStream_t stream = streams[k % 2];
    const int count = std::min(chunk, n - first); // the last chunk may be smaller
    const std::size_t bytes = count * sizeof(float);
    float *d_a = d.a + first, *d_b = d.b + first, *d_c = d.c + first;
    CUDA_CHECK(cudaMemcpyAsync(d_a, host.a + first, bytes, cudaMemcpyHostToDevice, stream));
    CUDA_CHECK(cudaMemcpyAsync(d_b, host.b + first, bytes, cudaMemcpyHostToDevice, stream));
    add<<<(count + 255) / 256, 256, 0, stream>>>(d_a, d_b, d_c, count);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpyAsync(host.c + first, d_c, bytes, cudaMemcpyDeviceToHost, stream));
  }
  // [end]
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 2, "[n chunk]");
  course::print_device();
  const int standard = course::problem_size(100'000'003, 1'000'003); // fewer without a GPU
  const int n = course::count_argument(argc, argv, 1, "n", standard, 250'000'000);
  const int chunk = course::count_argument(argc, argv, 2, "chunk", n / 32 + 1, n); // elements
  std::printf("3 arrays of %d floats; 2 copies to the device, 1 back\n\n", n);

  std::vector<float> a(n), b(n), c(n);
  const course::Buffer<float> d_a(n), d_b(n), d_c(n);
  const Arrays pageable{a.data(), b.data(), c.data()}, d{d_a.data(), d_b.data(), d_c.data()};
  Arrays pinned;
  for (float **array : {&pinned.a, &pinned.b, &pinned.c})
    CUDA_CHECK(cudaMallocHost(array, n * sizeof(float)));
  for (int i = 0; i < n; ++i) {
    a[i] = pinned.a[i] = i % 1009;
    b[i] = pinned.b[i] = i % 2003 / 4.0f; // all sums are exact
  }

  // [streams]
  cudaStream_t streams[2];
  for (cudaStream_t &stream : streams)
    CUDA_CHECK(cudaStreamCreate(&stream));
  // [end]

  bool correct = true;
  const auto run = [&](const char *name, float *result, auto work) {
    std::fill(result, result + n, NAN);
    CUDA_CHECK(cudaMemset(d.c, 0xFF, n * sizeof(float))); // NaN, so an old sum is detected
    const double seconds = course::gpu_seconds(course::problem_size(11, 1), work);
    correct &= course::verify(name, result, n, [](auto i) { return i % 1009 + i % 2003 / 4.0; });
    std::printf("  %-30s %8.3f ms %6.1f GB/s\n", name, 1e3 * seconds, 12e-9 * n / seconds);
  };
  run("one by one, pageable memory", pageable.c, [&] { one_by_one(pageable, d, n); });
  run("one by one, pinned memory", pinned.c, [&] { one_by_one(pinned, d, n); });
  run("two streams, pinned memory", pinned.c, [&] { in_chunks(pinned, d, n, chunk, streams); });

  for (cudaStream_t stream : streams)
    CUDA_CHECK(cudaStreamDestroy(stream));
  for (float *array : {pinned.a, pinned.b, pinned.c})
    CUDA_CHECK(cudaFreeHost(array));
  return course::verdict(correct);
}
