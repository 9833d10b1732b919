// Lesson 01: what the device consists of, asked from the device.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/01-hello-gpu/device-facts.cu -o device-facts
// Run:   ./device-facts
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"

#include <cstdio>

int main() {
  course::print_device();

  const int threads = course::attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  const int warp = course::attribute(cudaDevAttrWarpSize);
  std::printf("\n%d multiprocessors, each with room for %d threads = %d warps of %d\n",
              course::multiprocessors(), threads, threads / warp, warp);
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
  if (course::peak_bandwidth() > 0)
    std::printf("             global memory moves at most %.0f GB/s\n",
                1e-9 * course::peak_bandwidth());
  std::printf("   kernels can read ordinary memory of the host: %s\n",
              course::attribute(cudaDevAttrPageableMemoryAccess) ? "yes" : "no");
  std::printf("   float is %d times as fast as double\n",
              course::attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio));

  // Check: the other way to ask, one structure with everything, says the same.
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  std::puts("");
  return course::verdict(properties.multiProcessorCount == course::multiprocessors() &&
                         properties.maxThreadsPerMultiProcessor == threads &&
                         properties.warpSize == warp &&
                         properties.l2CacheSize == course::attribute(cudaDevAttrL2CacheSize));
}
