// Lesson 03, versions: the addition on the host, with its copies, and on the device alone.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/03-add-list/add-list-versions.cu -o add-list-versions
// Run:   ./add-list-versions [n]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <thread>
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

void launch_add(const float *d_a, const float *d_b, float *d_c, int n, int block) {
  add<<<(n + block - 1) / block, block>>>(d_a, d_b, d_c, n);
  CUDA_CHECK(cudaGetLastError());
}

// The five steps of add-list.cu.
void add_on_gpu(const float *a, const float *b, float *c, int n) {
  const std::size_t bytes = n * sizeof(float);
  float *d_a, *d_b, *d_c;
  CUDA_CHECK(cudaMalloc(&d_a, bytes));
  CUDA_CHECK(cudaMalloc(&d_b, bytes));
  CUDA_CHECK(cudaMalloc(&d_c, bytes));
  CUDA_CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
  launch_add(d_a, d_b, d_c, n, 256);
  CUDA_CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
}

// Adds on `cores` CPU cores, each with its share of the n elements.
void add_on_cpu(const float *a, const float *b, float *c, int n, long cores) {
  std::vector<std::thread> threads;
  for (long core = 0; core < cores; ++core)
    threads.emplace_back([=] {
      for (long i = n * core / cores; i < n * (core + 1) / cores; ++i)
        c[i] = a[i] + b[i];
    });
  for (std::thread &thread : threads)
    thread.join();
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  course::print_device();
  std::size_t free_bytes, total_bytes;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  const long most = std::min<std::size_t>(free_bytes / (3 * sizeof(float)), 2'000'000'000);
  const int n = course::count_argument(argc, argv, 1, "n", 100'000'000, most);
  const int runs = course::problem_size(11, 1); // fewer without a GPU
  const std::size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = i % 1009;
    b[i] = i % 2003 / 4.0f;
  }
  bool correct = true;
  const auto verify = [&](const char *what) { // and replaces the result by NaN
    correct = course::verify(what, c.data(), n,
                             [](std::size_t i) { return i % 1009 + i % 2003 / 4.0; }) &&
              correct;
    std::fill(c.begin(), c.end(), NAN);
  };
  const auto print = [](const char *what, double size, double seconds) {
    course::figure(what, 1e-9 * size / seconds, "GB/s", {.seconds = seconds});
  };

  std::printf("3 arrays of %d floats, %.2f GB each\n\n   host memory to host memory:\n", n,
              4e-9 * n);
  for (long cores : {1L, std::max(1L, long(std::thread::hardware_concurrency()))}) {
    const auto work = [&] { add_on_cpu(a.data(), b.data(), c.data(), n, cores); };
    work(); // the first call is not timed
    print(cores == 1 ? "one core" : "all cores", 3.0 * bytes, course::host_seconds(runs, work));
    verify("on the CPU");
  }
  const auto whole = [&] { add_on_gpu(a.data(), b.data(), c.data(), n); };
  whole();
  print("host to host", 3.0 * bytes, course::host_seconds(runs, whole));
  verify("host to host");

  float *d_a, *d_b, *d_c, *pinned;
  CUDA_CHECK(cudaMalloc(&d_a, bytes));
  CUDA_CHECK(cudaMalloc(&d_b, bytes));
  CUDA_CHECK(cudaMalloc(&d_c, bytes));
  CUDA_CHECK(cudaMallocHost(&pinned, bytes));
  std::copy(a.begin(), a.end(), pinned);
  std::puts("\n   copies:");
  print("copy a and b to the device", 2.0 * bytes, course::host_seconds(runs, [&] {
          CUDA_CHECK(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
          CUDA_CHECK(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));
        }));
  print("copy a to the device, pinned", bytes, course::host_seconds(runs, [&] {
          CUDA_CHECK(cudaMemcpy(d_a, pinned, bytes, cudaMemcpyHostToDevice));
        }));
  print("copy c to the host", bytes, course::host_seconds(runs, [&] {
          CUDA_CHECK(cudaMemcpy(c.data(), d_a, bytes, cudaMemcpyDeviceToHost));
        }));

  std::puts("\n   on the device:");
  if (course::peak_bandwidth() > 0)
    course::figure("peak of the memory", 1e-9 * course::peak_bandwidth(), "GB/s");
  const double copied = 2e-9 * bytes / course::gpu_seconds(runs, [&] { // reads and writes
                          CUDA_CHECK(cudaMemcpy(d_c, d_a, bytes, cudaMemcpyDeviceToDevice));
                        });
  course::figure("device copy", copied, "GB/s");
  const auto compare = [&](const char *what, auto work) {
    CUDA_CHECK(cudaMemset(d_c, 0xFF, bytes)); // NaN
    const double seconds = course::gpu_seconds(runs, work);
    course::figure(what, 3e-9 * bytes / seconds, "GB/s",
                   {.limit = copied, .limit_is = "device copy"});
    CUDA_CHECK(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));
    verify(what);
  };
  for (int block = 32; block <= 1024; block *= 2) {
    char what[40];
    std::snprintf(what, sizeof what, "add, %d threads per block", block);
    compare(what, [&] { launch_add(d_a, d_b, d_c, n, block); });
  }
  compare("add4, 16-byte loads", [&] {
    add4<<<((n + 3) / 4 + 255) / 256, 256>>>(d_a, d_b, d_c, n);
    CUDA_CHECK(cudaGetLastError());
  });
  CUDA_CHECK(cudaFreeHost(pinned));
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  return course::verdict(correct);
}
