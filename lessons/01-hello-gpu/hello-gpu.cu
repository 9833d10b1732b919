// Lesson 01: many threads run one function; and the device that runs them.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/01-hello-gpu/hello-gpu.cu -o hello-gpu
// Run:   ./hello-gpu
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/timer.hpp"
#include "common/verify.hpp"

#include <cstdio>
#include <vector>

// A kernel: each thread of each block runs it, and knows itself only by these two numbers.
__global__ void hello(int *greetings) {
  printf("   hello from thread %d of block %d\n", threadIdx.x, blockIdx.x);
  greetings[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

// `steps` steps of a random number generator (Marsaglia's xorshift) from `x` on. Each step needs
// the one before, so no machine can do two of them at once: this measures how long one step takes.
__host__ __device__ unsigned walk(unsigned x, int steps) {
  for (int step = 0; step < steps; ++step) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

// Thread i walks from i + 1 on (from 0 it would stay there) and writes where it ends.
__global__ void walk_all(unsigned *ends, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  ends[i] = walk(i + 1, steps);
}

int main() {
  // 1. Which device answers?
  course::print_device();

  // 2. Two blocks of four threads say hello. The launch returns at once; cudaDeviceSynchronize
  //    waits until the kernel has ended and its lines are printed. Their order is not defined.
  std::puts("\n2. two blocks of four threads:");
  int *d_greetings;
  CUDA_CHECK(cudaMalloc(&d_greetings, 8 * sizeof(int)));
  CUDA_CHECK(cudaMemset(d_greetings, 0, 8 * sizeof(int)));
  hello<<<2, 4>>>(d_greetings);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());

  int greetings[8];
  CUDA_CHECK(cudaMemcpy(greetings, d_greetings, sizeof greetings, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_greetings));
  bool correct = course::verify("greetings", greetings, 8, [](std::size_t) { return 1; });

  // 3. What the device consists of.
  const int multiprocessors = course::multiprocessors();
  const int threads_each = course::attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  const int warp = course::attribute(cudaDevAttrWarpSize);
  std::printf("\n3. %d multiprocessors, each with room for %d threads = %d warps of %d\n",
              multiprocessors, threads_each, threads_each / warp, warp);
  std::printf("   a block has at most %d threads\n",
              course::attribute(cudaDevAttrMaxThreadsPerBlock));
  std::printf("   memories: registers %8.1f KiB in each multiprocessor\n",
              course::attribute(cudaDevAttrMaxRegistersPerMultiprocessor) * 4 / 1024.0);
  std::printf("             shared    %8.1f KiB in each multiprocessor\n",
              course::attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / 1024.0);
  std::printf("             L2 cache  %8.1f MiB in all\n",
              course::attribute(cudaDevAttrL2CacheSize) / 1048576.0);
  std::size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  std::printf("             global    %8.1f GB in all, %.1f GB of it free now\n",
              1e-9 * total_bytes, 1e-9 * free_bytes);
  // Two transfers a clock tick; the clock is in kHz, the bus in bits.
  const double peak = 2e3 * course::attribute(cudaDevAttrMemoryClockRate) *
                      course::attribute(cudaDevAttrGlobalMemoryBusWidth) / 8;
  if (peak > 0)
    std::printf("             global memory moves at most %.0f GB/s\n", 1e-9 * peak);

  // 4. Latency against throughput: one thread, then as many as the device holds at once.
  const int steps = course::size(100000, 10000), block = 256;
  const int threads = multiprocessors * threads_each / block * block;
  unsigned *d_ends;
  CUDA_CHECK(cudaMalloc(&d_ends, threads * sizeof(unsigned)));
  const double alone = course::gpu_seconds(3, [&] {
    walk_all<<<1, 1>>>(d_ends, steps);
    CUDA_CHECK(cudaGetLastError());
  });
  const double together = course::gpu_seconds(3, [&] {
    walk_all<<<threads / block, block>>>(d_ends, steps);
    CUDA_CHECK(cudaGetLastError());
  });
  volatile unsigned start = 1, end = 0; // volatile: the compiler may not drop the work
  const double core = course::host_seconds(3, [&] { end = walk(start, steps); });

  std::printf("\n4. %d steps that cannot overlap:\n", steps);
  std::printf("   one core of the CPU        %9.3f ms\n", 1e3 * core);
  std::printf("   one thread of the device   %9.3f ms\n", 1e3 * alone);
  std::printf("   %6d threads at once     %9.3f ms: %.1f times as many steps a second as one\n",
              threads, 1e3 * together, threads * alone / together);

  // 5. Check: walk(a ^ b) is walk(a) ^ walk(b), so the walks of single bits give all others.
  std::vector<unsigned> ends(threads), bit_ends(32);
  CUDA_CHECK(cudaMemcpy(ends.data(), d_ends, threads * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_ends));
  for (int bit = 0; bit < 32; ++bit)
    bit_ends[bit] = walk(1u << bit, steps);
  const auto expected = [&](std::size_t i) {
    unsigned end = 0;
    for (int bit = 0; bit < 32; ++bit)
      end ^= ((i + 1) >> bit & 1) * bit_ends[bit];
    return end;
  };
  correct = course::verify("end", ends.data(), threads, expected) && correct;
  std::puts("");
  return course::verdict(correct);
}
