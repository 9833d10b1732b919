// Lesson 01: latency and throughput: the time of one step, and the number of steps per second.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/01-hello-gpu/latency.cu -o latency
// Run:   ./latency
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cstdio>
#include <random>
#include <utility>
#include <vector>

// Marsaglia's xorshift, a random number generator. Each step needs the result of the previous step,
// so no processor can execute two of them at the same time.
__host__ __device__ unsigned walk(unsigned x, int steps) {
  for (int step = 0; step < steps; ++step) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

__global__ void walk_all(unsigned *ends, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  ends[i] = walk(i + 1, steps);
}

// One thread follows a chain through memory: each load returns the index of the next load. A call
// continues where the previous one stopped, so in an array larger than the caches it does not find
// the previous call's lines in a cache.
__global__ void chase(const unsigned *next, unsigned *place, int steps) {
  unsigned at = *place;
  for (int step = 0; step < steps; ++step)
    at = next[at];
  *place = at;
}

// Times the walk of one CPU core, of one device thread, and of as many threads as the device holds.
bool time_walks() {
  const int steps = course::problem_size(100000, 10000), block = 256;
  const int held = course::attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  const int threads = course::multiprocessors() * held / block * block;
  unsigned *d_ends;
  CUDA_CHECK(cudaMalloc(&d_ends, threads * sizeof(unsigned)));
  const auto time_on_device = [&](int grid, int its_block) {
    return course::gpu_seconds(3, [&] {
      walk_all<<<grid, its_block>>>(d_ends, steps);
      CUDA_CHECK(cudaGetLastError());
    });
  };
  const double alone = time_on_device(1, 1);
  const double together = time_on_device(threads / block, block);
  volatile unsigned start = 1, end = 0; // volatile: the compiler must not remove the work
  const double core = course::host_seconds(3, [&] { end = walk(start, steps); });

  std::printf("\n%d steps, each needs the result of the previous one:\n", steps);
  std::printf("   one CPU core               %9.3f ms\n", 1e3 * core);
  std::printf("   one device thread          %9.3f ms\n", 1e3 * alone);
  std::printf("   %6d device threads      %9.3f ms: %.0f times the steps per second of one\n",
              threads, 1e3 * together, threads * alone / together);

  std::vector<unsigned> ends(threads), bit_ends(32);
  CUDA_CHECK(cudaMemcpy(ends.data(), d_ends, threads * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_ends));
  // walk(a ^ b) is walk(a) ^ walk(b), so the walks of single bits give all other results.
  for (int bit = 0; bit < 32; ++bit)
    bit_ends[bit] = walk(1u << bit, steps);
  return course::verify("end", ends.data(), threads, [&](std::size_t i) {
    unsigned expected = 0;
    for (int bit = 0; bit < 32; ++bit)
      expected ^= ((i + 1) >> bit & 1) * bit_ends[bit];
    return expected;
  });
}

// Times loads from an array of `kib` KiB, one after the other: one per 128-byte line, in random
// order.
bool time_loads(std::size_t kib) {
  const std::size_t bytes = 1024 * kib;
  const unsigned line = 128 / sizeof(unsigned), lines = unsigned(bytes / 128);
  std::vector<unsigned> next(lines * line);
  for (unsigned i = 0; i < lines; ++i)
    next[i * line] = i * line;
  std::mt19937 random(1);
  for (unsigned i = lines - 1; i > 0; --i) // Sattolo's shuffle: one cycle through all lines
    std::swap(next[i * line], next[random() % i * line]);

  unsigned *d_next, *d_place;
  CUDA_CHECK(cudaMalloc(&d_next, bytes));
  CUDA_CHECK(cudaMalloc(&d_place, sizeof(unsigned)));
  CUDA_CHECK(cudaMemcpy(d_next, next.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(d_place, 0, sizeof(unsigned)));
  const int steps = course::problem_size(100000, 1000), runs = 3;
  const double seconds = course::gpu_seconds(runs, [&] {
    chase<<<1, 1>>>(d_next, d_place, steps);
    CUDA_CHECK(cudaGetLastError());
  });
  std::printf("   %8zu KiB               %9.1f ns\n", kib, 1e9 * seconds / steps);

  unsigned place, expected = 0;
  CUDA_CHECK(cudaMemcpy(&place, d_place, sizeof place, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_next));
  CUDA_CHECK(cudaFree(d_place));
  for (int step = 0; step < (runs + 1) * steps; ++step) // one run is not timed
    expected = next[expected];
  return course::verify_value("place", place, expected);
}

int main() {
  course::print_device();
  bool correct = time_walks();
  std::puts("\ntime of one load that waits for the previous load; array of");
  for (const std::size_t kib : {16, 2048, course::problem_size(524288, 32768)})
    correct &= time_loads(kib);
  std::puts("");
  return course::verdict(correct);
}
