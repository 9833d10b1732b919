// Which device this program uses, and how large it is.
#pragma once

#include "common/check.hpp"

#include <cstdlib>

namespace course {

// One fact about the current device; the names are those of cudaDeviceAttr in the CUDA manual.
inline int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

inline int multiprocessors() { return attribute(cudaDevAttrMultiProcessorCount); }

// Bytes per second that the device's memory moves at most: its peak, and no measurement. The clock
// is in kHz and moves data twice per tick, the bus is in bits. 0 where the device does not say, as
// on the CPU backend.
inline double peak_bandwidth() {
  return 2e3 * attribute(cudaDevAttrMemoryClockRate) * attribute(cudaDevAttrGlobalMemoryBusWidth) /
         8;
}

// `full` on a GPU that has memory of its own and at least 16 multiprocessors, else `small`: so a
// lesson ends in seconds on a laptop, too.
template <class T> T size(T full, T small) {
  return attribute(cudaDevAttrIntegrated) || multiprocessors() < 16 ? small : full;
}

// The first line of every program: the device that its figures belong to.
// Where no device answers it says so, and ends the program with exit code 1.
inline void print_device() {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    const char *visible = std::getenv("CUDA_VISIBLE_DEVICES");
    std::fprintf(stderr, "no device: %s (%s)\n", cudaGetErrorString(status),
                 cudaGetErrorName(status));
    if (visible)
      std::fprintf(stderr, "  CUDA_VISIBLE_DEVICES is \"%s\": is it right?\n", visible);
    std::fprintf(stderr, "  On a cluster ask Slurm for a GPU; without one: ./course "
                         "--backend cpu run NAME; what is found here: ./course doctor\n");
    std::exit(EXIT_FAILURE);
  }
  int device = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  std::printf("device: %s, %d multiprocessors, %.1f GB\n", properties.name,
              properties.multiProcessorCount, 1e-9 * properties.totalGlobalMem);
}

} // namespace course
