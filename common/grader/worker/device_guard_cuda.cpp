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
extern "C" unsigned __real___cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                                       CUstream_st *stream); // of each <<<>>>
extern "C" cudaError_t __real_cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block,
                                                          void **arguments, std::size_t shared,
                                                          cudaStream_t stream);

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
  return {allocations.size(), live_bytes()};
}

void guard_host_array(const void *, std::size_t) {} // compute-sanitizer knows no host memory

int take_last_error() { return cudaGetLastError(); }

std::size_t launches() { return launched; }

std::vector<KernelWork> counted_work() { return {}; }

void watch_waits(void (*)(const char *call), void (*)()) {}

void treat_launches(Launches its_treatment) { treatment = its_treatment; }

static void note(const dim3 &grid, const dim3 &block) {
  ++launched;
  int device = 0;
  cudaGetDevice(&device);
  note_launch(device, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z});
}

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

extern "C" unsigned __wrap___cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                                       CUstream_st *stream) {
  using namespace course;
  note(grid, block);
  if (treatment == Launches::do_nothing)
    return 1; // <<<>>> calls the kernel where this is 0
  return __real___cudaPushCallConfiguration(
      grid, block, treatment == Launches::fail ? too_much_shared : shared, stream);
}

extern "C" cudaError_t __wrap_cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block,
                                                          void **arguments, std::size_t shared,
                                                          cudaStream_t stream) {
  using namespace course;
  note(grid, block);
  if (treatment == Launches::do_nothing)
    return cudaSuccess;
  return __real_cudaLaunchCooperativeKernel(kernel, grid, block, arguments,
                                            treatment == Launches::fail ? too_much_shared : shared,
                                            stream);
}
