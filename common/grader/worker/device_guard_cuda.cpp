// On a GPU the linker sends the program's cudaMalloc and cudaFree here, and its launches (--wrap).
#include "common/grader/worker/device_guard.hpp"

#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

extern "C" cudaError_t __real_cudaMalloc(void **pointer, std::size_t bytes);
extern "C" cudaError_t __real_cudaFree(void *pointer);
extern "C" cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration,
                                                  const void *kernel, void **arguments);

// The other calls that launch a kernel. <<<>>> is the first one, and since CUDA 13 the last.
#if CUDART_VERSION >= 13000
#define COURSE_LAUNCH_CALLS(CALL)                                                                  \
  CALL(cudaLaunchKernel, const void *)                                                             \
  CALL(__cudaLaunchKernel, cudaKernel_t)
#else
#define COURSE_LAUNCH_CALLS(CALL) CALL(cudaLaunchKernel, const void *)
#endif
#define COURSE_REAL(CALL, KERNEL)                                                                  \
  extern "C" cudaError_t __real_##CALL(KERNEL kernel, dim3 grid, dim3 block, void **arguments,     \
                                       std::size_t shared, cudaStream_t stream);
COURSE_LAUNCH_CALLS(COURSE_REAL)
COURSE_REAL(cudaLaunchCooperativeKernel, const void *)

namespace course {
namespace {

// Bytes on both sides; 4096 keep the alignment of cudaMalloc. None for compute-sanitizer, which
// must see the arrays as the program asked for them, and without values.
const std::size_t guard = std::getenv("COURSE_TOOL") ? 0 : 4096;

struct Allocation {
  std::size_t bytes;
  std::vector<unsigned char> zone; // the content on both sides
};

std::mutex mutex;
std::map<char *, Allocation> allocations; // by the program's pointers
std::vector<Found> damage;
bool guarded = false;
std::atomic<std::size_t> launched{0};
std::atomic<Launches> treatment{Launches::run};
constexpr std::size_t too_much_shared = std::size_t(1) << 30; // bytes

// The bytes that this case may allocate (COURSE_DEVICE_MEMORY).
std::size_t capacity() {
  const char *text = std::getenv("COURSE_DEVICE_MEMORY");
  return text ? std::strtoull(text, nullptr, 10) : std::size_t(-1);
}

std::size_t live_bytes() {
  std::size_t sum = 0;
  for (auto &[pointer, its] : allocations)
    sum += its.bytes;
  return sum;
}

// Compares the zones of an allocation and mends them, so that damage is reported once.
void inspect(char *pointer, const Allocation &its) {
  std::vector<unsigned char> zone(guard);
  for (bool behind : {false, true}) {
    char *at = behind ? pointer + its.bytes : pointer - guard;
    if (cudaMemcpy(zone.data(), at, guard, cudaMemcpyDeviceToHost) != cudaSuccess)
      return; // a broken context is reported as such
    std::size_t count = 0, first = 0, last = 0;
    for (std::size_t i = 0; i < guard; ++i)
      if (zone[i] != its.zone[i]) {
        first = count++ ? first : i;
        last = i;
      }
    if (!count)
      continue;
    damage.push_back({Kind::oob,
                      "device memory was written outside an allocation of " +
                          std::to_string(its.bytes) + " bytes: bytes " +
                          std::to_string(behind ? first : guard - last) + " to " +
                          std::to_string(behind ? last : guard - first) +
                          (behind ? " past its end" : " before its start"),
                      0, its.bytes, behind && first == 0 ? count : 0});
    cudaMemcpy(at, its.zone.data(), guard, cudaMemcpyHostToDevice);
  }
}

} // namespace

void guard_device_memory() { guarded = true; }

std::vector<Found> device_memory_damage() {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto &[pointer, its] : allocations)
    inspect(pointer, its);
  return std::exchange(damage, {});
}

LiveMemory live_device_memory() {
  std::lock_guard<std::mutex> lock(mutex);
  return {allocations.size(), live_bytes(), 0};
}

void guard_host_array(const void *, std::size_t) {} // compute-sanitizer knows no host memory

int take_last_error() { return cudaGetLastError(); }

std::size_t launches() { return launched; }

std::vector<KernelWork> counted_work() { return {}; }

void treat_launches(Launches its_treatment) { treatment = its_treatment; }

// No judge asks for a mask here.
void mask_arrays_for(Launches) {}
void mask_array(void *, std::size_t) {}
void unmask_array(void *, std::size_t) {}
void unmask_result(void *, std::size_t) {}
bool host_memory_is_shared() { return true; }

} // namespace course

extern "C" cudaError_t __wrap_cudaMalloc(void **pointer, std::size_t bytes) {
  using namespace course;
  std::lock_guard<std::mutex> lock(mutex);
  if (!guarded || !pointer || bytes == 0)
    return __real_cudaMalloc(pointer, bytes);
  // A size that no device has is left to CUDA, so that its error is recorded as usual.
  if (bytes > capacity() || live_bytes() > capacity() - bytes)
    return __real_cudaMalloc(pointer, std::size_t(1) << 60);
  cudaError_t error = __real_cudaMalloc(pointer, bytes + 2 * guard);
  if (error != cudaSuccess)
    return error;
  char *start = static_cast<char *>(*pointer);
  const Allocation its{bytes, guard_zone(guard)};
  if (guard > 0) {
    cudaMemset(start + guard, 0xFF, bytes);
    for (char *at : {start, start + guard + bytes})
      cudaMemcpy(at, its.zone.data(), guard, cudaMemcpyHostToDevice);
    cudaStreamSynchronize(cudaStreamLegacy); // the program's own streams need not wait for this one
  }
  *pointer = start + guard;
  allocations[start + guard] = its;
  return cudaSuccess;
}

extern "C" cudaError_t __wrap_cudaFree(void *pointer) {
  using namespace course;
  std::lock_guard<std::mutex> lock(mutex);
  auto found = allocations.find(static_cast<char *>(pointer));
  if (found == allocations.end())
    return __real_cudaFree(pointer);
  inspect(found->first, found->second);
  allocations.erase(found);
  return __real_cudaFree(static_cast<char *>(pointer) - guard);
}

// A launch of the program, by any call: false where its kernel has to do nothing.
static bool goes_on(const dim3 &grid, const dim3 &block, std::size_t &shared) {
  using namespace course;
  ++launched;
  int device = 0;
  cudaGetDevice(&device);
  note_launch(device, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z});
  if (treatment == Launches::fail)
    shared = too_much_shared;
  return treatment != Launches::do_nothing;
}

#define COURSE_WRAPS(CALL, KERNEL)                                                                 \
  extern "C" cudaError_t __wrap_##CALL(KERNEL kernel, dim3 grid, dim3 block, void **arguments,     \
                                       std::size_t shared, cudaStream_t stream) {                  \
    return goes_on(grid, block, shared)                                                            \
               ? __real_##CALL(kernel, grid, block, arguments, shared, stream)                     \
               : cudaSuccess;                                                                      \
  }
COURSE_LAUNCH_CALLS(COURSE_WRAPS)

// Where all launches fail, a cooperative one is made a plain one: CUDA would say "too many blocks"
// of the shared memory, and not "invalid argument".
extern "C" cudaError_t __wrap_cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block,
                                                          void **arguments, std::size_t shared,
                                                          cudaStream_t stream) {
  if (!goes_on(grid, block, shared))
    return cudaSuccess;
  if (course::treatment == course::Launches::fail)
    return __real_cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
  return __real_cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared, stream);
}

extern "C" cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration,
                                                  const void *kernel, void **arguments) {
  if (!configuration)
    return __real_cudaLaunchKernelExC(configuration, kernel, arguments);
  cudaLaunchConfig_t its = *configuration;
  if (course::treatment == course::Launches::fail)
    its.numAttrs = 0; // nor is it cooperative
  return goes_on(its.gridDim, its.blockDim, its.dynamicSmemBytes)
             ? __real_cudaLaunchKernelExC(&its, kernel, arguments)
             : cudaSuccess;
}
