// Lesson 03, further: the steps of the GPU function one by one, and the kernel beside the limits.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/03-add-list/add-list-ladder.cu -o add-list-ladder
// Run:   ./add-list-ladder [n]
#include "common/arguments.hpp"
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/figures.hpp"
#include "common/timer.hpp"
#include "lessons/03-add-list/lists.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

// The kernel of add-list.cu.
__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

// Four elements per thread: one instruction loads or stores a float4, 16 bytes. __ldcs and __stcs
// are streaming accesses: each value is used once, so no cache needs to keep it.
// The last n % 4 elements fill no float4: the first threads add one of them each.
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

// One line of the table: how long it took and, where it moved bytes, how many per second.
void print_time(const char *what, double seconds, double bytes) {
  if (bytes > 0)
    course::figure(what, 1e-9 * bytes / seconds, "GB/s", 0, "", seconds);
  else
    course::figure(what, 1e3 * seconds, "ms");
}

// Does `work`, which waits for the device, and prints how long the host saw it take.
template <class Work> void time_step(const char *what, double bytes, Work work) {
  print_time(what, course::host_seconds(1, work), bytes);
}

// The host: one core, and all of them.
bool time_host(const float *a, const float *b, float *c, int n) {
  const auto add_some = [=](int first, int count) {
    for (int i = first; i < first + count; ++i)
      c[i] = a[i] + b[i];
  };
  const double bytes = 3.0 * n * sizeof(float);
  const int runs = course::size(11, 1);
  const double first = course::host_seconds(1, [&] { add_some(0, n); });
  bool correct = verify_and_clear("one core", c, n);
  const double one = course::host_seconds(runs, [&] { add_some(0, n); });
  const double all = course::host_seconds(runs, [&] { on_all_cores(n, add_some); });
  correct = verify_and_clear("all cores", c, n) && correct;
  print_time("one core", one, bytes);
  print_time("one core, first touch of c", first, 0);
  print_time("all cores", all, bytes);
  return correct;
}

// The kernel beside the peak of the memory and beside the yardstick, a copy of the same device.
bool time_device(const float *d_a, const float *d_b, float *d_c, float *c, int n) {
  const std::size_t bytes = n * sizeof(float);
  const int runs = course::size(11, 1);
  std::puts("\n   on the device:");
  if (course::peak_bandwidth() > 0)
    course::figure("peak of the memory: the limit", 1e-9 * course::peak_bandwidth(), "GB/s");
  const double copy = course::gpu_seconds(
      runs, [&] { CUDA_CHECK(cudaMemcpy(d_c, d_a, bytes, cudaMemcpyDeviceToDevice)); });
  const double yardstick = 2e-9 * bytes / copy; // GB/s: a copy reads and writes each byte
  course::figure("copy of a list: the yardstick", yardstick, "GB/s");
  const auto print_share = [&](const char *what, double seconds) {
    course::figure(what, 3e-9 * bytes / seconds, "GB/s", yardstick, "the copy's");
  };
  for (int block = 32; block <= 1024; block *= 2) {
    char what[40];
    std::snprintf(what, sizeof what, "add, %d threads a block", block);
    print_share(what, course::gpu_seconds(runs, [&] { launch_add(d_a, d_b, d_c, n, block); }));
  }
  CUDA_CHECK(cudaMemset(d_c, 0xFF, bytes)); // NaN
  print_share("add4, 16-byte loads", course::gpu_seconds(runs, [&] {
                add4<<<((n + 3) / 4 + 255) / 256, 256>>>(d_a, d_b, d_c, n);
                CUDA_CHECK(cudaGetLastError());
              }));
  CUDA_CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));
  return verify_and_clear("add4", c, n);
}

// The five steps as one call, as a program has them whose lists stay with the host.
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
  for (float *memory : {d_a, d_b, d_c})
    CUDA_CHECK(cudaFree(memory));
}

// Where the memory lies. An address looks the same on both sides; the driver knows.
void print_place(const float *pointer) {
  cudaPointerAttributes place;
  CUDA_CHECK(cudaPointerGetAttributes(&place, pointer));
  std::printf("   %p is in the memory of the %s\n", static_cast<const void *>(pointer),
              place.type == cudaMemoryTypeDevice ? "device" : "host");
}

int main(int argc, char **argv) {
  course::expect_arguments(argc, argv, 1, "[n]");
  const int n = int(course::count_argument(argc, argv, 1, "n", 100'000'000, 2'000'000'000));
  course::print_device();
  expect_room(argv[0], n);

  // new float[n] only reserves addresses; memory comes when a page is first touched.
  const std::size_t bytes = n * sizeof(float);
  const std::unique_ptr<float[]> list_a(new float[n]), list_b(new float[n]), list_c(new float[n]);
  float *const a = list_a.get(), *const b = list_b.get(), *const c = list_c.get();
  on_all_cores(n, [=](int first, int count) {
    for (int i = first; i < first + count; ++i) {
      a[i] = value_a(i);
      b[i] = value_b(i);
    }
  });
  bool correct = time_host(a, b, c, n);

  std::puts("");
  add_on_gpu(a, b, c, n); // the first launch also loads the kernel
  const double trip = course::host_seconds(course::size(11, 1), [&] { add_on_gpu(a, b, c, n); });
  print_time("host to host", trip, 3.0 * bytes);
  correct = verify_and_clear("host to host", c, n) && correct;

  std::puts("\n   of which, each once:");
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
  time_step("kernel", 3.0 * bytes, [&] {
    launch_add(d_a, d_b, d_c, n, 256);
    CUDA_CHECK(cudaDeviceSynchronize()); // a launch returns at once, long before the kernel ends
  });
  time_step("copy c to the host", bytes,
            [&] { CUDA_CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost)); });
  correct = verify_and_clear("kernel", c, n) && correct;

  // The same copy from pinned memory, which the device reads without a detour.
  float *pinned;
  CUDA_CHECK(cudaMallocHost(&pinned, bytes));
  std::copy(a, a + n, pinned);
  time_step("copy a to the device, pinned", bytes,
            [&] { CUDA_CHECK(cudaMemcpy(d_a, pinned, bytes, cudaMemcpyHostToDevice)); });
  CUDA_CHECK(cudaFreeHost(pinned));

  correct = time_device(d_a, d_b, d_c, c, n) && correct;
  std::puts("");
  print_place(a);
  print_place(d_a);
  std::printf("   kernels of this device %s use the first one, too\n",
              course::attribute(cudaDevAttrPageableMemoryAccess) ? "may" : "must not");
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  std::puts("");
  return course::verdict(correct);
}
