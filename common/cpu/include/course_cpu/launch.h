// Launches by function, and what a program asks of a kernel before it launches it.
#pragma once

#include "api.h"
#include "configuration.h"
#if __cplusplus >= 201703L
#include "launch_arguments.h"
#endif

#include <type_traits>
#include <utility>

namespace course_cpu {

cudaError_t allow_shared_memory(size_t bytes); // dynamic, of each block of later launches
int resident_blocks(int block_size, size_t shared_bytes); // of one multiprocessor, 0 if none fits
int most_threads(const void *kernel);                     // of a block, by its __launch_bounds__
bool cooperative_launch_allowed(const Configuration &configuration, const Site &site,
                                const void *kernel);

// A kernel whose address a program has taken: what a launch by that address needs.
struct Kernel {
  const char *name; // as written
  void (*launch)(const Site &site, const Configuration &configuration, const void *address,
                 void **arguments, bool cooperative);
};
void add_kernel(const void *address, const Kernel &kernel);
cudaError_t launch_by_address(const void *address, const Configuration &configuration,
                              void **arguments, bool cooperative, SourceLine line);

#if __cplusplus >= 201703L
// Queues a kernel whose arguments are given by their addresses.
template <class... Parameters, size_t... I>
void launch_function(const Site &site, const Configuration &configuration,
                     void (*kernel)(Parameters...), void **arguments, bool cooperative,
                     std::index_sequence<I...>) {
  const auto body = thread_of(
      kernel, Kept<Parameters>(*static_cast<std::decay_t<Parameters> *>(arguments[I]))...);
  queue_grid(site, configuration, body_of(body, sizeof(void *)), cooperative);
}

// The translation of `(void *)kernel`.
template <class... Parameters>
void *kernel_address(const char *name, void (*kernel)(Parameters...)) {
  void *const address = reinterpret_cast<void *>(kernel);
  add_kernel(address, {name, [](const Site &site, const Configuration &configuration,
                                const void *address, void **arguments, bool cooperative) {
                         const auto function =
                             reinterpret_cast<void (*)(Parameters...)>(const_cast<void *>(address));
                         launch_function(site, configuration, function, arguments, cooperative,
                                         std::index_sequence_for<Parameters...>());
                       }});
  return address;
}
template <class... Parameters> void *kernel_address(void (*kernel)(Parameters...)) {
  return kernel_address("(launched by its address)", kernel);
}
#else
template <class... Parameters>
void *kernel_address(void (*kernel)(Parameters...))
    __attribute__((error("a host file that launches a kernel needs C++17 here: -std=c++17")));
#endif

} // namespace course_cpu

inline cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                                    course_cpu::SourceLine line = course_cpu::here()) {
  return course_cpu::launch_by_address(kernel, {grid, block, shared_bytes, stream}, arguments,
                                       false, line);
}

template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                             course_cpu::SourceLine line = course_cpu::here()) {
  return cudaLaunchKernel(course_cpu::kernel_address(kernel), grid, block, arguments, shared_bytes,
                          stream, line);
}

inline cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block,
                                               void **arguments, size_t shared_bytes = 0,
                                               cudaStream_t stream = nullptr,
                                               course_cpu::SourceLine line = course_cpu::here()) {
  return course_cpu::launch_by_address(kernel, {grid, block, shared_bytes, stream}, arguments, true,
                                       line);
}

template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void **arguments, size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr,
                                        course_cpu::SourceLine line = course_cpu::here()) {
  return cudaLaunchCooperativeKernel(course_cpu::kernel_address(kernel), grid, block, arguments,
                                     shared_bytes, stream, line);
}

namespace course_cpu {
cudaError_t launch_with_attributes(const cudaLaunchConfig_t *config, const void *kernel,
                                   void **arguments, SourceLine line = here());
}

template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                               Arguments &&...arguments) {
  return [&](typename std::decay<Parameters>::type... values) {
    void *addresses[] = {&values..., nullptr};
    return course_cpu::launch_with_attributes(config, course_cpu::kernel_address(kernel),
                                              addresses);
  }(std::forward<Arguments>(arguments)...);
}

// Shared memory is allowed for all kernels at once: the launch does not know a kernel's address.
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
    return cudaSuccess; // a hint
  return course_cpu::allow_shared_memory(static_cast<size_t>(value));
}

template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, Kernel kernel) {
  *attributes = {};
  attributes->maxThreadsPerBlock = course_cpu::most_threads(reinterpret_cast<const void *>(kernel));
  attributes->maxDynamicSharedSizeBytes = 48 << 10;
  return cudaSuccess;
}

template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel, int block_size,
                                                          size_t shared_bytes) {
  *blocks = course_cpu::resident_blocks(block_size, shared_bytes);
  return *blocks > 0 || block_size > 0 ? cudaSuccess : cudaErrorInvalidValue;
}

template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *smallest_grid, int *block_size, Kernel kernel,
                                               size_t shared_bytes = 0, int limit = 0) {
  *smallest_grid = *block_size = 0;
  int device = 0, processors = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error != cudaSuccess)
    return error;
  const int bound = course_cpu::most_threads(reinterpret_cast<const void *>(kernel));
  int most_threads = 0;
  for (int size = limit > 0 && limit < bound ? limit : bound; size > 0;
       size = (size - 1) / 32 * 32) {
    const int blocks = course_cpu::resident_blocks(size, shared_bytes);
    if (blocks * size <= most_threads)
      continue;
    most_threads = blocks * size;
    *block_size = size;
    *smallest_grid = blocks * processors;
  }
  return most_threads > 0 ? cudaSuccess : cudaErrorInvalidValue;
}
