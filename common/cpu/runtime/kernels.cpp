// What is known of kernels by their addresses: how to launch them, and their __launch_bounds__.
#include "course_cpu/launch.h"
#include "device.h"
#include "limits.h"
#include "runtime.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

namespace course_cpu {
namespace {

std::mutex kernels_mutex; // of the two tables

std::map<const void *, Kernel> &kernels() {
  static auto &all = *new std::map<const void *, Kernel>;
  return all;
}

std::map<const void *, unsigned> &bounds() {
  static auto &all = *new std::map<const void *, unsigned>;
  return all;
}
std::atomic<bool> some_bounds; // else no launch looks for them

} // namespace

void add_bounds(const void *kernel, unsigned threads) {
  if (threads == 0)
    return;
  std::lock_guard<std::mutex> lock(kernels_mutex);
  bounds()[kernel] = threads;
  some_bounds = true;
}

int most_threads(const void *kernel) {
  if (!some_bounds.load(std::memory_order_relaxed))
    return threads_block;
  std::lock_guard<std::mutex> lock(kernels_mutex);
  const auto its = bounds().find(kernel);
  return static_cast<int>(its == bounds().end() ? threads_block
                                                : std::min(threads_block, its->second));
}

// The first name is kept: a later one may be that of a pointer.
void add_kernel(const void *address, const Kernel &kernel) {
  std::lock_guard<std::mutex> lock(kernels_mutex);
  kernels().try_emplace(address, kernel);
}

cudaError_t launch_by_address(const void *address, const Configuration &configuration,
                              void **arguments, bool cooperative, SourceLine line) {
  Kernel kernel{};
  {
    std::lock_guard<std::mutex> lock(kernels_mutex);
    const auto known = kernels().find(address);
    if (known != kernels().end())
      kernel = known->second;
  }
  if (!kernel.launch)
    return api_call([] { return cudaErrorInvalidDeviceFunction; });
  const Site site{kernel.name, line.file, line.line};
  if (!(cooperative ? cooperative_launch_allowed(configuration, site, address)
                    : launch_allowed(configuration, site, address)))
    return cudaPeekAtLastError();
  kernel.launch(site, configuration, address, arguments, cooperative);
  return cudaSuccess;
}

cudaError_t launch_with_attributes(const cudaLaunchConfig_t *config, const void *kernel,
                                   void **arguments, SourceLine line) {
  if (!config)
    return api_call([] { return cudaErrorInvalidValue; });
  bool cooperative = false;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute &attribute = config->attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative)
      cooperative = attribute.val.cooperative != 0;
    const auto &cluster = attribute.val.clusterDim;
    if (attribute.id == cudaLaunchAttributeClusterDimension &&
        cluster.x * cluster.y * cluster.z != 1)
      return api_call([] { return cudaErrorNotSupported; }); // the others are hints
  }
  return launch_by_address(
      kernel, {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream},
      arguments, cooperative, line);
}

} // namespace course_cpu
