// Allocations: device memory is memory of the host, kept in a table that says what it counts as.
#include "checks/checks.h"
#include "context.h"
#include "course_cpu/api.h"
#include "course_cpu_grader.h"
#include "runtime.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <sys/mman.h>

namespace course_cpu {
namespace {

constexpr size_t alignment = 256;            // of device memory, in bytes
constexpr size_t pitch_alignment = 512;      // of the rows of cudaMallocPitch
constexpr size_t mapped_from = 1 << 20;      // larger blocks are pages of their own
constexpr size_t always_poisoned = 64 << 20; // larger blocks only where the adversary is at work
constexpr size_t zone = 32 << 10;            // guard bytes on each side

struct Allocation {
  Place place;
  int device;
  size_t size;         // bytes
  char *raw = nullptr; // what the system gave; nullptr where the memory is not ours
  size_t raw_size = 0;
  bool mapped = false; // by mmap
  bool guarded = false;
  bool freed = false; // by cudaFreeAsync, whose stream has not come so far
  unsigned flags = 0; // of pinned memory
  size_t number = 0;  // of the allocation in this process
};

std::mutex mutex; // of all that follows, and of Device::used
std::vector<Damage> found_at_free;
size_t last_number = 0;
size_t pinned_bytes = 0;
std::atomic<bool> guarding{false};

using Table = std::map<char *, Allocation>;
using Entry = Table::value_type;

Table &table() {
  static auto &map = *new Table;
  return map;
}

// The entry whose memory holds the address, or end().
Table::iterator find(const void *address) {
  char *p = static_cast<char *>(const_cast<void *>(address));
  auto next = table().upper_bound(p);
  if (next == table().begin())
    return table().end();
  auto entry = std::prev(next);
  return p < entry->first + entry->second.size ? entry : table().end();
}

// ---- guard zones ----

// Each guard byte differs from its neighbours and from those of other allocations, so that copying
// one out-of-bounds byte onto another shows.
char guard_byte(size_t number, size_t position) {
  return char(scramble(number, position / 8) >> (position % 8 * 8));
}

// Calls f(address, expected byte) for every guard byte.
template <class F> void for_each_guard_byte(const Entry &entry, const F &f) {
  const auto &[base, a] = entry;
  for (char *p = a.raw; p < base; p++)
    f(p, guard_byte(a.number, p - a.raw));
  for (char *p = base + a.size; p < a.raw + a.raw_size; p++)
    f(p, guard_byte(a.number, p - a.raw));
}

// Appends the damage of an allocation, if any, and mends it.
void inspect(const Entry &entry, bool at_free, std::vector<Damage> &found) {
  if (!entry.second.guarded)
    return;
  Damage damage{entry.second.size, entry.second.number, 0, 0, 0, at_free};
  for_each_guard_byte(entry, [&](char *p, char expected) {
    if (*p == expected)
      return;
    std::ptrdiff_t offset = p - entry.first;
    damage.first = damage.bytes == 0 ? offset : damage.first;
    damage.last = offset;
    damage.bytes++;
    *p = expected;
  });
  if (damage.bytes > 0)
    found.push_back(damage);
}

// ---- taking and giving back ----

char *take(size_t bytes, bool mapped) {
  if (checks::on)
    return checks::take(bytes);
  if (!mapped)
    return static_cast<char *>(std::aligned_alloc(alignment, bytes));
  void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    return nullptr;
  madvise(p, bytes, MADV_HUGEPAGE); // fewer page faults at the first touch
  return static_cast<char *>(p);
}

void give_back(const Allocation &a) {
  if (checks::on)
    checks::give_back(a.raw, a.raw_size);
  else if (a.mapped)
    munmap(a.raw, a.raw_size);
  else
    std::free(a.raw);
}

cudaError_t allocate(void **pointer, size_t bytes, Place place, unsigned flags = 0) {
  if (!pointer)
    return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0)
    return cudaSuccess;
  Device &device = current_device();
  const bool pinned = place == Place::pinned;
  Allocation a{place, device.index, bytes};
  {
    std::lock_guard<std::mutex> lock(mutex);
    size_t &used = pinned ? pinned_bytes : device.used;
    if (bytes > (pinned ? host_capacity() : device.capacity) - used)
      return cudaErrorMemoryAllocation;
    used += bytes; // taken before the memory is: no other thread can take it too
    a.number = ++last_number;
  }
  a.guarded = guarding && !pinned;
  a.flags = flags;
  a.raw_size = (bytes + alignment - 1) / alignment * alignment;
  a.mapped = a.guarded || a.raw_size >= mapped_from;
  // Large arrays start at different places of their first page. Where a store to one and a load
  // from another share the low 12 bits of the address, processors take the load to depend on the
  // store: a Jacobi step is five times as slow then.
  const size_t stagger = a.mapped && !checks::on ? a.number * 5 % 16 * alignment : 0;
  const size_t before = a.guarded ? zone : stagger;
  a.raw_size += a.guarded ? 2 * zone : stagger;
  a.raw = take(a.raw_size, a.mapped);
  if (!a.raw) {
    std::lock_guard<std::mutex> lock(mutex);
    (pinned ? pinned_bytes : device.used) -= bytes;
    return cudaErrorMemoryAllocation;
  }
  char *base = a.raw + before;
  if (!pinned && (bytes <= always_poisoned || a.guarded || order().kind != Order::forward))
    fill_bytes(base, 0xFF, bytes);
  if (a.guarded)
    for_each_guard_byte({base, a}, [](char *p, char expected) { *p = expected; });
  std::lock_guard<std::mutex> lock(mutex);
  table()[base] = a;
  checks::allocated(base, bytes, place);
  *pointer = base;
  return cudaSuccess;
}

// Removes an entry; the caller holds the mutex.
void release(Table::iterator entry) {
  const Allocation &a = entry->second;
  inspect(*entry, true, found_at_free);
  (a.place == Place::pinned ? pinned_bytes : devices()[a.device].used) -= a.size;
  checks::freed(entry->first);
  give_back(a);
  table().erase(entry);
}

bool on_device(Place place) { return place == Place::device || place == Place::managed; }

// Frees memory of cudaMalloc or of cudaMallocHost. As on a device, it waits for all work first.
cudaError_t free_memory(void *pointer, bool pinned) {
  if (!pointer)
    return cudaSuccess;
  int device;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto entry = table().find(static_cast<char *>(pointer));
    if (entry == table().end() || !entry->second.raw || entry->second.freed ||
        pinned == on_device(entry->second.place)) {
      checks::free_refused(pointer);
      return cudaErrorInvalidValue;
    }
    device = entry->second.device;
  }
  finish_all(devices()[device]);
  std::lock_guard<std::mutex> lock(mutex);
  auto entry = table().find(static_cast<char *>(pointer));
  if (entry == table().end())
    return cudaErrorInvalidValue; // another thread was faster
  release(entry);
  return devices()[device].sticky;
}

size_t count_live(bool bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  size_t sum = 0;
  for (const auto &[base, a] : table())
    if (a.raw && on_device(a.place) && !a.freed)
      sum += bytes ? a.size : 1;
  return sum;
}

} // namespace

Location locate(const void *pointer) {
  std::lock_guard<std::mutex> lock(mutex);
  auto entry = find(pointer);
  if (entry == table().end())
    return {};
  const auto &[base, a] = *entry;
  return {a.place, a.device, base, size_t(base + a.size - static_cast<const char *>(pointer))};
}

void add_symbol(const void *address, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  char *base = static_cast<char *>(const_cast<void *>(address));
  table().insert({base, Allocation{Place::device, current_device().index, bytes}});
}

void free_all(Device &device) {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto entry = table().begin(); entry != table().end();) {
    auto next = std::next(entry);
    if (entry->second.raw && entry->second.device == device.index)
      release(entry);
    entry = next;
  }
}

// ---- course_cpu_grader.h ----

void guard_memory(bool on) { guarding = on; }

std::vector<Damage> check_guards() {
  for (Device &device : devices())
    finish_all(device);
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<Damage> found;
  found.swap(found_at_free);
  for (const Entry &entry : table())
    inspect(entry, false, found);
  return found;
}

std::string describe(const Damage &d) {
  const bool before = d.first < 0;
  const std::ptrdiff_t end = std::ptrdiff_t(d.allocation_bytes);
  const std::string distance =
      before ? std::to_string(-d.first) + " bytes before the start"
             : (d.first == end ? "directly behind the end"
                               : std::to_string(d.first - end) + " bytes behind the end");
  return "something wrote outside a device array of " + std::to_string(d.allocation_bytes) +
         " bytes (allocation " + std::to_string(d.allocation) + "): " + std::to_string(d.bytes) +
         " bytes changed, the first " + distance;
}

size_t live_allocations() { return count_live(false); }
size_t live_bytes() { return count_live(true); }

} // namespace course_cpu

using namespace course_cpu;

// ---- device and managed memory ----

cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  return api_call([&] { return allocate(pointer, bytes, Place::device); });
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags) {
  return api_call([&] {
    if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
      return cudaErrorInvalidValue;
    return allocate(pointer, bytes, Place::managed);
  });
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width_bytes, size_t height) {
  return api_call([&] {
    if (!pitch)
      return cudaErrorInvalidValue;
    *pitch = (width_bytes + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    return allocate(pointer, *pitch * height, Place::device);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *pitched, cudaExtent extent) {
  if (!pitched)
    return record_error(cudaErrorInvalidValue);
  pitched->xsize = extent.width;
  pitched->ysize = extent.height;
  return cudaMallocPitch(&pitched->ptr, &pitched->pitch, extent.width,
                         extent.height * extent.depth);
}

cudaError_t cudaFree(void *pointer) {
  return api_call([&] { return free_memory(pointer, false); });
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  return api_call([&] {
    std::lock_guard<std::mutex> lock(mutex);
    const Device &device = current_device();
    *free_bytes = device.capacity - device.used;
    *total_bytes = device.capacity;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  return api_call([&] {
    if (!attributes)
      return cudaErrorInvalidValue;
    const Location where = locate(pointer);
    void *p = const_cast<void *>(pointer);
    switch (where.place) {
    case Place::pageable:
      *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, p};
      break;
    case Place::pinned:
      *attributes = {cudaMemoryTypeHost, where.device, p, p};
      break;
    case Place::device:
      *attributes = {cudaMemoryTypeDevice, where.device, p, nullptr};
      break;
    case Place::managed:
      *attributes = {cudaMemoryTypeManaged, where.device, p, p};
      break;
    }
    return cudaSuccess;
  });
}

// ---- pinned host memory ----

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
  return api_call([&] {
    constexpr unsigned known =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if ((flags & ~known) != 0)
      return cudaErrorInvalidValue;
    return allocate(pointer, bytes, Place::pinned, flags);
  });
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes, unsigned int flags) {
  return cudaHostAlloc(pointer, bytes, flags);
}

cudaError_t cudaFreeHost(void *pointer) {
  return api_call([&] { return free_memory(pointer, true); });
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags) {
  return api_call([&] {
    if (!pointer || bytes == 0)
      return cudaErrorInvalidValue;
    if (locate(pointer).place != Place::pageable)
      return cudaErrorHostMemoryAlreadyRegistered;
    std::lock_guard<std::mutex> lock(mutex);
    Allocation a{Place::pinned, current_device().index, bytes};
    a.flags = flags;
    table()[static_cast<char *>(pointer)] = a;
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void *pointer) {
  return api_call([&] {
    std::lock_guard<std::mutex> lock(mutex);
    auto entry = table().find(static_cast<char *>(pointer));
    if (entry == table().end() || entry->second.place != Place::pinned || entry->second.raw)
      return cudaErrorHostMemoryNotRegistered;
    table().erase(entry);
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void **device_pointer, void *host_pointer,
                                     unsigned int flags) {
  return api_call([&] {
    if (!device_pointer || flags != 0 || locate(host_pointer).place != Place::pinned)
      return cudaErrorInvalidValue;
    *device_pointer = host_pointer;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host_pointer) {
  return api_call([&] {
    std::lock_guard<std::mutex> lock(mutex);
    auto entry = find(host_pointer);
    if (!flags || entry == table().end() || entry->second.place != Place::pinned)
      return cudaErrorInvalidValue;
    *flags = entry->second.flags | cudaHostAllocMapped;
    return cudaSuccess;
  });
}

// ---- stream-ordered allocation ----

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t handle) {
  return api_call([&] {
    auto stream = find_stream(handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    cudaError_t error = allocate(pointer, bytes, Place::device);
    if (error != cudaErrorMemoryAllocation)
      return error;
    finish({stream, stream->issued}); // queued frees may make room
    return allocate(pointer, bytes, Place::device);
  });
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t handle) {
  return api_call([&] {
    auto stream = find_stream(handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (!pointer)
      return cudaSuccess;
    {
      std::lock_guard<std::mutex> lock(mutex);
      auto entry = table().find(static_cast<char *>(pointer));
      if (entry == table().end() || entry->second.place != Place::device || !entry->second.raw ||
          entry->second.freed) {
        checks::free_refused(pointer);
        return cudaErrorInvalidValue;
      }
      entry->second.freed = true;
    }
    enqueue(
        stream,
        [pointer] {
          std::lock_guard<std::mutex> lock(mutex);
          auto entry = table().find(static_cast<char *>(pointer));
          if (entry != table().end()) // cudaDeviceReset may have been here
            release(entry);
        },
        OnError::run);
    return cudaSuccess;
  });
}

// ---- memory pools: one a device, the default one; its attributes change nothing ----

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  return with_device(device, [&](Device &d) {
    *pool = reinterpret_cast<cudaMemPool_t>(&d);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t,
                                    cudaStream_t stream) {
  return cudaMallocAsync(pointer, bytes, stream);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *value) {
  return api_call([&] { return value ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) {
  return api_call([] { return cudaSuccess; });
}
