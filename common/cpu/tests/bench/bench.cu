// The speed of the CPU backend beside plain OpenMP loops over the same arrays, in one run:
// medians of interleaved rounds. ratio: the loop's time divided by the kernel's. On two cores
// (Xeon, AVX-512, g++ 12) it is 0.8 for the sum of two vectors, 1.0 for the naive product and 0.7
// for Jacobi's step, but 0.05 for the tiled product and 0.003 for block sums: at each barrier every
// thread switches stacks.
#include "../checked_call.hpp"
#include "loops.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

__global__ void add(const float *a, const float *b, float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

__global__ void matmul_naive(const float *a, const float *b, float *c, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

constexpr int tile = 16;

// n is a multiple of `tile`.
__global__ void matmul_tiled(const float *a, const float *b, float *c, int n) {
  __shared__ float tile_a[tile][tile], tile_b[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * tile + tx, y = blockIdx.y * tile + ty;
  float sum = 0;
  for (int start = 0; start < n; start += tile) {
    tile_a[ty][tx] = a[y * n + start + tx];
    tile_b[ty][tx] = b[(start + ty) * n + x];
    __syncthreads();
    for (int k = 0; k < tile; ++k)
      sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

__global__ void jacobi(const float *from, float *to, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
    return;
  const size_t i = size_t(y) * n + x;
  to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n]);
}

__global__ void block_sums(const float *values, float *sums) {
  __shared__ float partial[256];
  const int t = threadIdx.x;
  partial[t] = values[blockIdx.x * 256 + t];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half)
      partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = partial[0];
}

__global__ void empty() {}

__global__ void barriers(int turns) {
  for (int i = 0; i < turns; ++i)
    __syncthreads();
}

__global__ void shuffles(int *out, int turns) {
  int value = threadIdx.x;
  for (int i = 0; i < turns; ++i)
    value = __shfl_xor_sync(0xffffffffu, value, 1);
  out[threadIdx.x] = value;
}

// Seconds that `work` takes, until the device is done.
template <class Work> double seconds(const Work &work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

constexpr int rounds = 5;

// Times `loop` and `kernel` in turn, after one round to warm up, and prints the medians.
template <class Loop, class Kernel>
void compare(const char *name, const Loop &loop, const Kernel &kernel) {
  std::vector<double> loop_times, kernel_times;
  for (int round = 0; round <= rounds; ++round) {
    const double loop_time = seconds(loop), kernel_time = seconds(kernel);
    if (round > 0) {
      loop_times.push_back(loop_time);
      kernel_times.push_back(kernel_time);
    }
  }
  const double loop_time = median(loop_times), kernel_time = median(kernel_times);
  std::printf("%-30s %12.2f %12.2f %10.4f\n", name, 1e3 * loop_time, 1e3 * kernel_time,
              loop_time / kernel_time);
}

// Prints the median time of one of `count` equal parts of `work`, in nanoseconds.
template <class Work> void print_each(const char *name, double count, const Work &work) {
  std::vector<double> times;
  for (int round = 0; round <= rounds; ++round)
    times.push_back(seconds(work));
  std::printf("%-30s %12.2f ns\n", name, 1e9 * median(times) / count);
}

// n floats that host and device use, freed with the object.
struct Array {
  float *data = nullptr;

  explicit Array(size_t n) {
    CUDA_CHECK(cudaMallocManaged(&data, n * sizeof(float)));
    for (size_t i = 0; i < n; ++i)
      data[i] = 0.25f * static_cast<float>(i % 17) - 1;
  }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  ~Array() { cudaFree(data); }
};

// A benchmark of wrong results would measure nothing.
void require_equal(const char *name, const float *loop, const float *kernel, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (!(std::fabs(loop[i] - kernel[i]) <= 1e-4f * std::fmax(1.0f, std::fabs(loop[i])))) {
      std::printf("%s: element %zu is %g by the loop and %g by the kernel\nFAIL\n", name, i,
                  loop[i], kernel[i]);
      std::exit(1);
    }
}

void compare_add() {
  // 1e8 elements where three arrays of them fit.
  size_t free_bytes = 0, total = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
  const int n = static_cast<int>(std::min<size_t>(100000000, free_bytes / 2 / (4 * sizeof(float))));
  Array a(n), b(n), by_loop(n), by_kernel(n);
  char name[64];
  std::snprintf(name, sizeof name, "vector add, %.1e", static_cast<double>(n));
  compare(
      name, [&] { loops::add(a.data, b.data, by_loop.data, n); },
      [&] { add<<<(n + 255) / 256, 256>>>(a.data, b.data, by_kernel.data, n); });
  require_equal(name, by_loop.data, by_kernel.data, n);
}

void compare_matmul() {
  constexpr int n = 512;
  Array a(n * n), b(n * n), by_loop(n * n), by_kernel(n * n);
  const dim3 grid(n / tile, n / tile), block(tile, tile);
  compare(
      "naive matmul, 512", [&] { loops::matmul_naive(a.data, b.data, by_loop.data, n); },
      [&] { matmul_naive<<<grid, block>>>(a.data, b.data, by_kernel.data, n); });
  require_equal("naive matmul", by_loop.data, by_kernel.data, n * n);
  compare(
      "tiled matmul, 512", [&] { loops::matmul(a.data, b.data, by_loop.data, n); },
      [&] { matmul_tiled<<<grid, block>>>(a.data, b.data, by_kernel.data, n); });
  require_equal("tiled matmul", by_loop.data, by_kernel.data, n * n);
}

void compare_jacobi() {
  constexpr int n = 2048, steps = 100;
  Array loop_a(n * n), loop_b(n * n), kernel_a(n * n), kernel_b(n * n);
  const dim3 block(32, 8), grid(n / 32, n / 8);
  compare(
      "Jacobi, 2048 x 2048 x 100",
      [&] {
        for (int step = 0; step < steps; step += 2) {
          loops::jacobi(loop_a.data, loop_b.data, n);
          loops::jacobi(loop_b.data, loop_a.data, n);
        }
      },
      [&] {
        for (int step = 0; step < steps; step += 2) {
          jacobi<<<grid, block>>>(kernel_a.data, kernel_b.data, n);
          jacobi<<<grid, block>>>(kernel_b.data, kernel_a.data, n);
        }
      });
  require_equal("Jacobi", loop_a.data, kernel_a.data, n * n);
}

void compare_block_sums() {
  constexpr int n = 1 << 24;
  Array values(n), by_loop(n / 256), by_kernel(n / 256);
  compare(
      "block sums, 2^24", [&] { loops::block_sums(values.data, by_loop.data, n); },
      [&] { block_sums<<<n / 256, 256>>>(values.data, by_kernel.data); });
  require_equal("block sums", by_loop.data, by_kernel.data, n / 256);
}

void print_parts() {
  constexpr int turns = 2000, threads = 256, launches = 2000;
  int *out = nullptr;
  CUDA_CHECK(cudaMalloc(&out, threads * sizeof(int)));
  print_each("barrier, per thread, one core", 1.0 * turns * threads,
             [] { barriers<<<1, threads>>>(turns); });
  print_each("shuffle, per thread, one core", 1.0 * turns * threads,
             [&] { shuffles<<<1, threads>>>(out, turns); });
  for (const int blocks : {1, 64}) {
    char name[64];
    std::snprintf(name, sizeof name, "empty launch, %d block%s", blocks, blocks == 1 ? "" : "s");
    print_each(name, launches, [&] {
      for (int i = 0; i < launches; ++i) {
        empty<<<blocks, 1>>>();
        CUDA_CHECK(cudaDeviceSynchronize());
      }
    });
  }
  CUDA_CHECK(cudaFree(out));
}

} // namespace

int main() {
  std::printf("%-30s %12s %12s %10s\n", "", "loop, ms", "kernel, ms", "ratio");
  compare_add();
  compare_matmul();
  compare_jacobi();
  compare_block_sums();
  print_parts();
}
