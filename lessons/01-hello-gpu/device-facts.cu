// Lesson 01: the properties of the device, queried from the device.
//
// Build: nvcc -O3 -std=c++17 -I. lessons/01-hello-gpu/device-facts.cu -o device-facts
// Run:   ./device-facts
#include "common/check.hpp"
#include "common/device.hpp"
#include "common/verify.hpp"

#include <cstddef>
#include <cstdio>

int main() {
  course::print_device();

  const int threads = course::attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
  const int warp = course::attribute(cudaDevAttrWarpSize);
  std::printf("\n%d multiprocessors, each for up to %d threads, which are %d warps of %d\n",
              course::multiprocessors(), threads, threads / warp, warp);
  std::printf("   a block has at most %d threads\n",
              course::attribute(cudaDevAttrMaxThreadsPerBlock));

  std::printf("   registers      %8.1f KiB per multiprocessor\n",
              course::attribute(cudaDevAttrMaxRegistersPerMultiprocessor) * 4 / 1024.0);
  std::printf("   shared memory  %8.1f KiB per multiprocessor\n",
              course::attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / 1024.0);
  std::printf("   L2 cache       %8.1f MiB\n",
              course::attribute(cudaDevAttrL2CacheSize) / 1048576.0);
  std::size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  std::printf("   global memory  %8.1f GB, %.1f GB of it free\n", 1e-9 * total_bytes,
              1e-9 * free_bytes);
  if (course::peak_bandwidth() > 0)
    std::printf("   peak bandwidth %8.0f GB/s\n", 1e-9 * course::peak_bandwidth());
  std::printf("   kernels can read all host memory: %s\n",
              course::attribute(cudaDevAttrPageableMemoryAccess) ? "yes" : "no");
  std::printf("   peak rate of float, relative to double: %d\n",
              course::attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio));

  // The check: cudaGetDeviceProperties returns the same values in one structure.
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  std::puts("");
  return course::verdict(properties.multiProcessorCount == course::multiprocessors() &&
                         properties.maxThreadsPerMultiProcessor == threads &&
                         properties.warpSize == warp &&
                         properties.l2CacheSize == course::attribute(cudaDevAttrL2CacheSize));
}
