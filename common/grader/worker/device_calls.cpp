// The worker's own CUDA calls, on both backends. They are compiled once: CUDA's headers take most
// of the time of a small file.
#include "common/grader/worker/device_guard.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace course {
namespace {

std::mutex mutex;
std::vector<LaunchShape> shapes;
std::size_t most_bytes = 0;

} // namespace

std::vector<LaunchShape> take_launch_shapes() {
  std::lock_guard<std::mutex> lock(mutex);
  return std::exchange(shapes, {});
}

std::size_t most_bytes_at_a_launch() {
  std::lock_guard<std::mutex> lock(mutex);
  return most_bytes;
}

void note_launch(int device, const std::array<unsigned, 3> &grid,
                 const std::array<unsigned, 3> &block) {
  constexpr std::size_t most = 64;
  const std::size_t bytes = live_device_memory().bytes;
  std::lock_guard<std::mutex> lock(mutex);
  most_bytes = std::max(most_bytes, bytes);
  const auto same = [&](const LaunchShape &other) {
    return device == other.device && grid == other.grid && block == other.block;
  };
  if (shapes.size() < most && std::none_of(shapes.begin(), shapes.end(), same))
    shapes.push_back({device, grid, block});
}

std::optional<Found> take_device_error() {
  cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess)
    error = cudaError_t(take_last_error());
  if (error == cudaSuccess)
    return {};
  Found found{error == cudaErrorIllegalAddress ? Kind::oob : Kind::launch,
              std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error)};
  found.of_launch = error == cudaErrorInvalidConfiguration;
  return found;
}

void take_device_memory(std::size_t bytes) {
  static void *taken = nullptr;
  if (taken)
    cudaFree(std::exchange(taken, nullptr));
  if (bytes == 0)
    return;
  cudaSetDevice(0);
  cudaMalloc(&taken, bytes);
}

bool is_device_memory(const void *pointer) {
  cudaPointerAttributes about{};
  return pointer && cudaPointerGetAttributes(&about, pointer) == cudaSuccess &&
         about.type == cudaMemoryTypeDevice;
}

} // namespace course
