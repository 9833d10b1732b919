// Lesson 03: add two arrays on the GPU: allocate, copy, launch, copy back, free.
//
// Build: nvcc -O3 -std=c++17 lessons/03-add-list/add-list.cu -o add-list
// Run:   ./add-list [n]
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// If a CUDA call has failed, prints the call, its line and the reason, and ends the program.
// [check]
void check(cudaError_t status, const char *call, const char *file, int line) {
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s:%d: %s failed: %s\n", file, line, call, cudaGetErrorString(status));
    std::exit(EXIT_FAILURE);
  }
}

#define CUDA_CHECK(call) check((call), #call, __FILE__, __LINE__)
// [end]

// The time on the host's clock, in seconds.
// [clock]
double now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}
// [end]

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

// How many seconds each step of add_on_gpu takes, and all steps together.
struct Times {
  double allocate, copy_in, kernel, copy_back, free, total;
};

// The same on the GPU, for arrays in host memory.
Times add_on_gpu(const float *a, const float *b, float *c, int n) {
  const double start = now();
  // [steps]
  const std::size_t bytes = n * sizeof(float);
  float *d_a, *d_b, *d_c;              // d_: device memory
  CUDA_CHECK(cudaMalloc(&d_a, bytes)); // 1. allocate
  CUDA_CHECK(cudaMalloc(&d_b, bytes));
  CUDA_CHECK(cudaMalloc(&d_c, bytes));
  const double allocated = now();

  CUDA_CHECK(cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice)); // 2. copy to the device
  CUDA_CHECK(cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice));
  const double copied = now();

  add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n); // 3. launch, in blocks of 256 threads
  CUDA_CHECK(cudaGetLastError());                  // did the launch succeed?
  CUDA_CHECK(cudaDeviceSynchronize());             // wait until the kernel has ended
  const double computed = now();

  CUDA_CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost)); // 4. copy back
  const double copied_back = now();

  CUDA_CHECK(cudaFree(d_a)); // 5. free
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  // [end]
  const double freed = now();
  return {allocated - start,      copied - allocated,  computed - copied,
          copied_back - computed, freed - copied_back, freed - start};
}

// True if every element of c is right: a[i] + b[i] is exact in float, so it equals the sum in
// double. Otherwise prints the first wrong element.
bool verify(const char *what, const std::vector<float> &c) {
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double expected = i % 1009 + i % 2003 / 4.0;
    if (c[i] != expected) { // also true if c[i] is NaN
      std::printf("%s: c[%zu] is %g, but should be %g\n", what, i, c[i], expected);
      return false;
    }
  }
  return true;
}

// The first argument, a number from 1 to `most`; without an argument, about 100 million.
int read_size(int argc, char **argv, long most) {
  if (argc == 1)
    return std::min(100'000'003L, most / 4); // no block size divides it
  char *end;
  const long n = std::strtol(argv[1], &end, 10);
  if (argc > 2 || *end != '\0' || n < 1 || n > most) {
    std::fprintf(stderr, "usage: %s [n], a whole number from 1 to %ld\n", argv[0], most);
    std::exit(2);
  }
  return n;
}

int main(int argc, char **argv) {
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("device: %s, %d multiprocessors, %.1f GB\n", properties.name,
              properties.multiProcessorCount, 1e-9 * properties.totalGlobalMem);

  std::size_t free_bytes, total_bytes;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  const long most = std::min<std::size_t>(free_bytes / (3 * sizeof(float)), 2'000'000'000);
  const int n = read_size(argc, argv, most);
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = i % 1009;
    b[i] = i % 2003 / 4.0f;
  }

  // The first call of each function is slower, so it is not timed.
  add_on_cpu(a.data(), b.data(), c.data(), n);
  const double start = now();
  add_on_cpu(a.data(), b.data(), c.data(), n);
  const double cpu = now() - start;
  bool correct = verify("CPU function", c);

  add_on_gpu(a.data(), b.data(), c.data(), n);
  std::fill(c.begin(), c.end(), NAN); // an earlier result must not pass for that of the next call
  const Times gpu = add_on_gpu(a.data(), b.data(), c.data(), n);
  correct &= verify("GPU function", c);

  std::printf("3 arrays of %d floats, %.2f GB each\n\n", n, 4e-9 * n);
  std::printf("CPU function took %f seconds.\nGPU function took %f seconds:\n", cpu, gpu.total);
  std::printf("  allocate            %8.3f ms\n", 1e3 * gpu.allocate);
  std::printf("  copy a and b        %8.3f ms  %7.1f GB/s\n", 1e3 * gpu.copy_in,
              8e-9 * n / gpu.copy_in);
  std::printf("  kernel              %8.3f ms  %7.1f GB/s\n", 1e3 * gpu.kernel,
              12e-9 * n / gpu.kernel);
  std::printf("  copy c back         %8.3f ms  %7.1f GB/s\n", 1e3 * gpu.copy_back,
              4e-9 * n / gpu.copy_back);
  std::printf("  free                %8.3f ms\n\n", 1e3 * gpu.free);

  std::puts(correct ? "PASS" : "FAIL");
  return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}
