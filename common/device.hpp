// The device that this program uses, and its properties.
#pragma once

#include "common/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace course {

// One attribute of the current device. The CUDA manual lists the names under cudaDeviceAttr.
inline int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

inline int multiprocessors() { return attribute(cudaDevAttrMultiProcessorCount); }

// The peak bandwidth of device memory in bytes per second: calculated, not measured. The clock is
// in kHz, data moves twice per clock cycle, and the bus width is in bits. The result is 0 if the
// device does not report these numbers, as on the CPU backend.
inline double peak_bandwidth() {
  return 2e3 * attribute(cudaDevAttrMemoryClockRate) * attribute(cudaDevAttrGlobalMemoryBusWidth) /
         8;
}

// Returns `full` on a GPU with its own memory and at least 16 multiprocessors, otherwise `small`.
// So a lesson takes only seconds on a laptop as well.
template <class T> T problem_size(T full, T small) {
  return attribute(cudaDevAttrIntegrated) || multiprocessors() < 16 ? small : full;
}
// The old name, in answers that learners have written.
template <class T> T size(T full, T small) { return problem_size(full, small); }

// Prints the first line of every program: the device on which it runs.
// If there is no device, prints an error and ends the program with exit code 1.
inline void print_device() {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    const char *visible = std::getenv("CUDA_VISIBLE_DEVICES");
    std::fprintf(stderr, "no device: %s (%s)\n", cudaGetErrorString(status),
                 cudaGetErrorName(status));
    if (visible)
      std::fprintf(stderr, "  CUDA_VISIBLE_DEVICES is \"%s\": is it correct?\n", visible);
    std::fprintf(stderr, "  On a cluster, request a GPU from Slurm. Without a GPU: ./course "
                         "--backend cpu run NAME. To check this machine: ./course doctor\n");
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
