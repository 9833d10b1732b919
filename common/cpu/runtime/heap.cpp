// The heap of kernels: memory of malloc and new in device code. It belongs to no stream, lasts from
// one kernel to the next, and host code can neither free nor copy it. One for all devices.
#include "course_cpu/heap.h"

#include "course_cpu/api.h"
#include "course_cpu/execution.h"
#include "device.h"
#include "observer.h"

#include <cstdlib>
#include <cstring>
#include <unordered_map>

namespace course_cpu {
namespace {

constexpr size_t unit = 16; // bytes, of which a block has a whole number

std::mutex heap_mutex; // of all below
size_t limit = 8 << 20, used = 0;
bool in_use = false;

std::unordered_map<void *, size_t> &blocks() { // and their bytes
  static auto &map = *new std::unordered_map<void *, size_t>;
  return map;
}

// False: there is no such block.
bool remove(void *memory, const void *caller) {
  std::lock_guard<std::mutex> lock(heap_mutex);
  const auto block = blocks().find(memory);
  if (block == blocks().end())
    return false;
  used -= block->second;
  blocks().erase(block);
  if (tools::on)
    tools::give_back_to_heap(static_cast<char *>(memory), caller);
  else
    std::free(memory);
  return true;
}

} // namespace

void *heap_malloc(size_t bytes) {
  if (!in_kernel())
    return ::operator new(bytes, std::nothrow);
  std::lock_guard<std::mutex> lock(heap_mutex);
  in_use = true;
  if (bytes > limit - used || (bytes + unit - 1) / unit * unit > limit - used)
    return nullptr;
  const size_t taken = bytes == 0 ? unit : (bytes + unit - 1) / unit * unit;
  void *const memory =
      tools::on ? tools::take_of_heap(bytes, __builtin_return_address(0)) : std::malloc(taken);
  if (!memory)
    return nullptr;
  std::memset(memory, 0xFF, bytes);
  blocks()[memory] = taken;
  used += taken;
  return memory;
}

void heap_free(void *memory) {
  if (!in_kernel())
    return ::operator delete(memory);
  if (memory && !remove(memory, __builtin_return_address(0)))
    fault(cudaErrorLaunchFailure,
          "free or delete in a kernel got a pointer that is not from malloc or new in a kernel, or "
          "that is already freed");
}

} // namespace course_cpu

using namespace course_cpu;

// The other limits bound nothing here: a program reads back what it set.
static size_t limits[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit its) {
  return api_call([&] {
    if (!value || its > cudaLimitPersistingL2CacheSize)
      return cudaErrorInvalidValue;
    std::lock_guard<std::mutex> lock(heap_mutex);
    *value = its == cudaLimitMallocHeapSize ? limit : limits[its];
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit its, size_t value) {
  return api_call([&] {
    std::lock_guard<std::mutex> lock(heap_mutex);
    const bool is_heap = its == cudaLimitMallocHeapSize;
    if (its > cudaLimitPersistingL2CacheSize || (is_heap && in_use))
      return cudaErrorInvalidValue;
    (is_heap ? limit : limits[its]) = value;
    return cudaSuccess;
  });
}
