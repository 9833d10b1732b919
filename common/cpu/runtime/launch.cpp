// Checks of a launch against the limits of its device.
#include "course_cpu/launch.h"
#include "capture.h"
#include "course_cpu_grader.h"
#include "limits.h"
#include "observer.h"
#include "refusals.hpp"
#include "runtime.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <memory>

namespace course_cpu {
namespace {

std::atomic<size_t> launched{0};
std::atomic<Launches> treatment{Launches::run};
std::atomic<LaunchNote *> note_launch{nullptr};

bool sizes_fit(const Configuration &c) {
  const dim3 &g = c.grid, &b = c.block;
  const bool grid_fits =
      g.x > 0 && g.y > 0 && g.z > 0 && g.x <= INT_MAX && g.y <= grid_yz && g.z <= grid_yz;
  return grid_fits && b.x > 0 && b.y > 0 && b.z > 0 && b.x <= threads_block &&
         b.y <= threads_block && b.z <= dimension_z && size_t(b.x) * b.y * b.z <= threads_block;
}

bool exceeds_bounds(const Configuration &c, const void *kernel) {
  const unsigned most = static_cast<unsigned>(most_threads(kernel));
  return most < threads_block && size_t(c.block.x) * c.block.y * c.block.z > most;
}

// The error of a launch configuration that exceeds the limits of the current device.
cudaError_t configuration_error(const Configuration &c, const void *kernel) {
  auto stream = find_stream(c.stream);
  Device &device = current_device();
  if (!stream || &stream->device != &device)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t error = capture_forbids(*stream, Use::queues))
    return error;
  if (exceeds_bounds(c, kernel))
    return cudaErrorInvalidValue;
  if (!sizes_fit(c))
    return cudaErrorInvalidConfiguration;
  if (c.shared_bytes > std::max(shared_default, device.shared_opt_in) ||
      treatment == Launches::fail)
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

// Why a configuration is invalid.
course::RefusedLaunch complaint(const Configuration &c) {
  const dim3 &g = c.grid, &b = c.block;
  course::RefusedLaunch launch{false, {b.x, b.y, b.z}, {g.x, g.y, g.z}, ""};
  if (g.x == 0 || g.y == 0 || g.z == 0) {
    launch.why = "has no blocks";
    return launch;
  }
  const bool has_threads = b.x > 0 && b.y > 0 && b.z > 0;
  launch.is_of_block = !has_threads || b.x > threads_block || b.y > threads_block ||
                       b.z > dimension_z || size_t(b.x) * b.y * b.z > threads_block;
  launch.why = !has_threads ? "has no threads"
               : launch.is_of_block
                   ? "is too large: at most " + std::to_string(threads_block) + " threads, and " +
                         std::to_string(dimension_z) + " in z"
                   : "is too large: at most " + text_of(course::Extent{INT_MAX, grid_yz, grid_yz}) +
                         " blocks";
  return launch;
}

// Records the launch; true if its kernel has to run.
bool runs(cudaError_t error, const Configuration &configuration, const Site &site,
          const void *kernel) {
  if (error != cudaSuccess)
    tools::launch_refused(configuration, site,
                          exceeds_bounds(configuration, kernel) ? most_threads(kernel) : 0);
  if (error == cudaSuccess) {
    ++launched;
    const dim3 &g = configuration.grid, &b = configuration.block;
    if (const auto note = note_launch.load())
      note(current_device().index, {g.x, g.y, g.z}, {b.x, b.y, b.z});
  }
  return error == cudaSuccess && treatment == Launches::run;
}

} // namespace

bool launch_allowed(const Configuration &configuration, const Site &site, const void *kernel) {
  if (in_kernel())
    fault(cudaErrorNotSupported,
          "launches a kernel, which the CPU backend does not support: let the "
          "host launch it when this kernel has ended");
  const cudaError_t error = api_call([&] { return configuration_error(configuration, kernel); });
  if (error == cudaErrorInvalidConfiguration)
    say_refused(text_of(complaint(configuration)));
  return runs(error, configuration, site, kernel);
}

void queue_grid(const Site &site, const Configuration &configuration, const GridBody &body,
                bool cooperative) {
  const std::shared_ptr<void> functor(body.copy(body.functor), body.destroy);
  const auto run_it = [=] {
    Grid grid{site, configuration, body, cooperative};
    grid.body.functor = functor.get();
    run(grid);
  };
  tools::reaches_kernels(static_cast<char *>(functor.get()) + body.kernel_bytes,
                         body.bytes - body.kernel_bytes);
  tools::host_launches(site);
  enqueue(configuration.stream, run_it);
  static const char *const blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
  if (blocking && std::atoi(blocking) != 0 && !find_stream(configuration.stream)->capture)
    cudaStreamSynchronize(configuration.stream); // the kernel's error is the launch's
}

size_t launches() { return launched; }

void watch_launches(LaunchNote *note) { note_launch = note; }

void treat_launches(Launches its_treatment) { treatment = its_treatment; }

std::vector<Work> counted_work() {
  std::vector<Work> kernels;
  tools::add_counted(kernels);
  return kernels;
}

HostWork counted_host_work() {
  HostWork work;
  tools::add_counted(work);
  return work;
}

bool cooperative_launch_allowed(const Configuration &c, const Site &site, const void *kernel) {
  return runs(api_call([&] {
                if (cudaError_t broken = configuration_error(c, kernel))
                  return broken;
                const size_t at_once =
                    size_t(current_device().processors) *
                    resident_blocks(c.block.x * c.block.y * c.block.z, c.shared_bytes);
                const bool fits = size_t(c.grid.x) * c.grid.y * c.grid.z <= at_once;
                return fits ? cudaSuccess : cudaErrorCooperativeLaunchTooLarge;
              }),
              c, site, kernel);
}

cudaError_t allow_shared_memory(size_t bytes) {
  return api_call([&] {
    if (bytes > shared_opt_in)
      return cudaErrorInvalidValue;
    Device &device = current_device();
    device.shared_opt_in = std::max(device.shared_opt_in, bytes);
    return cudaSuccess;
  });
}

int resident_blocks(int block_size, size_t shared_bytes) {
  if (block_size < 1 || block_size > int(threads_block))
    return 0;
  unsigned warps = (block_size + 31) / 32;
  size_t by_shared = shared_processor / (shared_bytes + shared_reserved);
  return int(std::min<size_t>({threads_processor / (32 * warps), blocks_processor, by_shared}));
}

} // namespace course_cpu
