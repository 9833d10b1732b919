// Lesson 03: add two lists on the GPU: allocate, copy, launch, check; and where the time goes.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/03-add-list/add-list.cu -o add-list
// Run:   ./add-list [n]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

// c = a + b, n elements each: one thread an element.
__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

// The same, four elements a thread: one instruction loads or stores a float4, 16 bytes.
// __ldcs and __stcs say that no value is used twice, so that none need stay in a cache.
// The last n % 4 elements fill no float4: the first threads add one of them each.
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

int blocks_for(int n, int block) { return (n + block - 1) / block; }

// The CPU function: the same on one core, for lists in the memory of the host.
void add_on_cpu(const float *a, const float *b, float *c, int n) {
  for (int i = 0; i < n; ++i)
    c[i] = a[i] + b[i];
}

// The GPU function: the same lists; the five steps of most CUDA programs.
void add_on_gpu(const float *a, const float *b, float *c, int n) {
  const std::size_t bytes = n * sizeof(float);
  float *d_a, *d_b, *d_c; // d_: an address in the memory of the device
  CUDA_CHECK(cudaMalloc(&d_a, bytes));
  CUDA_CHECK(cudaMalloc(&d_b, bytes));
  CUDA_CHECK(cudaMalloc(&d_c, bytes));
  CUDA_CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
  add<<<blocks_for(n, 256), 256>>>(d_a, d_b, d_c, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
}

// Calls work(first, count) on every core, each with its share of n elements.
template <class Work> void on_all_cores(int n, Work work) {
  const long long cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (long long core = 0; core < cores; ++core) { // long long: n * core may be beyond an int
    const int first = int(n * core / cores), last = int(n * (core + 1) / cores);
    threads.emplace_back(work, first, last - first);
  }
  for (std::thread &thread : threads)
    thread.join();
}

// Element i of the lists: so uneven that a mixed-up index shows.
float value_a(int i) { return ((2654435761u * i) >> 8) * 0x1p-24f; }
float value_b(int i) { return ((2246822519u * i) >> 8) * 0x1p-20f; }

// Whether c is a + b. Leaves NaN there, so that no answer is taken for the next one's.
bool verify_and_clear(const char *what, float *c, int n) {
  const bool correct =
      course::verify(what, c, n, [](std::size_t i) { return value_a(int(i)) + value_b(int(i)); });
  std::fill(c, c + n, NAN);
  return correct;
}

// One line of the table: how long it took and, where it moved bytes, how many a second.
void print_time(const char *what, double seconds, double bytes) {
  std::printf("   %-36s %9.3f ms", what, 1e3 * seconds);
  if (bytes > 0)
    std::printf(" %8.1f GB/s", 1e-9 * bytes / seconds);
  std::puts("");
}

// Does `work`, which waits for the device, and prints how long the host saw it take.
template <class Work> void time_step(const char *what, double bytes, Work work) {
  const course::Timer timer;
  work();
  print_time(what, timer.seconds(), bytes);
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  const int n = int(course::count_argument(argc, argv, 1, "n", 100'000'000, 2'000'000'000));
  course::print_device();

  // 1. Is there room for three lists on the device?
  const std::size_t bytes = n * sizeof(float);
  std::size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  std::printf("3 lists of %d floats: %.2f GB; free on the device: %.2f of %.2f GB\n\n", n,
              3e-9 * bytes, 1e-9 * free_bytes, 1e-9 * total_bytes);
  if (3 * bytes > free_bytes) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s: n = %d needs more memory than the device has free; try %zu or less\n",
                 argv[0], n, free_bytes / (3 * sizeof(float)));
    return EXIT_FAILURE;
  }

  // 2. The lists. new float[n] only reserves addresses; memory comes when a page is touched.
  const std::unique_ptr<float[]> list_a(new float[n]), list_b(new float[n]), list_c(new float[n]);
  float *const a = list_a.get(), *const b = list_b.get(), *const c = list_c.get();
  on_all_cores(n, [=](int first, int count) {
    for (int i = first; i < first + count; ++i) {
      a[i] = value_a(i);
      b[i] = value_b(i);
    }
  });

  // 3. Both functions, each once before: that touches the pages of c, and loads the kernel.
  const int runs = course::size(11, 1);
  const double cpu_first = course::host_seconds(1, [&] { add_on_cpu(a, b, c, n); });
  bool correct = verify_and_clear("CPU function", c, n);
  const double cpu = course::host_seconds(runs, [&] { add_on_cpu(a, b, c, n); });
  const double gpu_first = course::host_seconds(1, [&] { add_on_gpu(a, b, c, n); });
  correct = verify_and_clear("GPU function", c, n) && correct;
  const double gpu = course::host_seconds(runs, [&] { add_on_gpu(a, b, c, n); });
  std::printf("CPU function took %f seconds.\nGPU function took %f seconds.\n\n", cpu, gpu);

  // 4. Where the time went: on the host,
  const double all_cores = course::host_seconds(runs, [&] {
    on_all_cores(n,
                 [=](int first, int count) { add_on_cpu(a + first, b + first, c + first, count); });
  });
  correct = verify_and_clear("all cores", c, n) && correct;
  print_time("one core", cpu, 3.0 * bytes);
  print_time("one core, first touch of c", cpu_first, 0);
  print_time("all cores", all_cores, 3.0 * bytes);
  print_time("GPU, host to host", gpu, 0);
  print_time("GPU, host to host, first call", gpu_first, 0);

  // 5. in each step of the GPU function,
  std::puts("\n   of host to host:");
  float *d_a, *d_b, *d_c;
  time_step("allocate", 0, [&] {
    CUDA_CHECK(cudaMalloc(&d_a, bytes));
    CUDA_CHECK(cudaMalloc(&d_b, bytes));
    CUDA_CHECK(cudaMalloc(&d_c, bytes));
  });
  time_step("copy a and b to the device", 2.0 * bytes, [&] {
    CUDA_CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
  });
  const auto launch = [&](int block) {
    add<<<blocks_for(n, block), block>>>(d_a, d_b, d_c, n);
    CUDA_CHECK(cudaGetLastError());
  };
  time_step("kernel", 3.0 * bytes, [&] {
    launch(256);
    CUDA_CHECK(cudaDeviceSynchronize()); // a launch returns at once, long before the kernel ends
  });
  time_step("copy c to the host", bytes,
            [&] { CUDA_CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost)); });
  correct = verify_and_clear("kernel", c, n) && correct;

  // 6. and on the device alone, beside its limit: the rate at which it copies its own memory.
  std::puts("\n   on the device:");
  const double copy = course::gpu_seconds(
      runs, [&] { CUDA_CHECK(cudaMemcpy(d_c, d_a, bytes, cudaMemcpyDeviceToDevice)); });
  const double limit = 2e-9 * bytes / copy; // GB/s: a copy reads and writes each byte
  course::figure("copy of a list: the limit", limit, "GB/s");
  const auto print_share = [&](const char *what, double seconds) {
    course::figure(what, 3e-9 * bytes / seconds, "GB/s", limit, "the copy's");
  };
  for (int block = 32; block <= 1024; block *= 2) {
    char what[40];
    std::snprintf(what, sizeof what, "add, %d threads a block", block);
    print_share(what, course::gpu_seconds(runs, [&] { launch(block); }));
  }
  CUDA_CHECK(cudaMemset(d_c, 0xFF, bytes)); // NaN
  print_share("add4, 16-byte loads", course::gpu_seconds(runs, [&] {
                add4<<<blocks_for((n + 3) / 4, 256), 256>>>(d_a, d_b, d_c, n);
                CUDA_CHECK(cudaGetLastError());
              }));
  CUDA_CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
  correct = verify_and_clear("add4", c, n) && correct;

  // 7. Where the data is. An address looks the same on both sides; the driver knows.
  std::puts("");
  const float *const pointers[] = {a, d_a};
  for (const float *pointer : pointers) {
    cudaPointerAttributes place;
    CUDA_CHECK(cudaPointerGetAttributes(&place, pointer));
    std::printf("   %p is in the memory of the %s\n", static_cast<const void *>(pointer),
                place.type == cudaMemoryTypeDevice ? "device" : "host");
  }
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  std::puts("");
  return course::verdict(correct);
}
