// The table of allocations: device memory is memory of the host, and the table says what it counts
// as.
//
// Device memory is separate from the host's, with closed pages past the end of each piece. So an
// index past the end of an array reads another array, as on a GPU, or ends the kernel, and never
// reaches host memory.
#include "allocations.h"
#include "course_cpu_grader.h"
#include "observer.h"
#include "runtime.h"
#include "stream.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <system_error>
#include <vector>

extern char __start_course_cpu_managed[] __attribute__((weak)); // of the program; by the linker
extern char __stop_course_cpu_managed[] __attribute__((weak));

namespace course_cpu {
namespace {

constexpr size_t alignment = 256;       // of device memory, in bytes
constexpr size_t mapped_from = 1 << 20; // larger blocks are pages of their own
constexpr size_t piece = 2 << 20;       // which smaller ones share
constexpr size_t closed = 64 << 10; // bytes behind both that nobody may touch: pages of any machine
constexpr size_t always_poisoned = 64 << 20; // larger blocks only where the adversary is at work
constexpr size_t zone = 32 << 10;            // guard bytes on each side
constexpr size_t shared_from = 8 << 20;      // bytes from which all cores take part

std::vector<Damage> &found_at_free() {
  static auto &all = *new std::vector<Damage>;
  return all;
}
size_t last_number = 0;
size_t pinned_bytes = 0;
std::atomic<bool> guarding{false};
std::atomic<size_t> device_limit{~size_t{0}}; // bytes

// Calls work(first, past_last) for parts of 0..bytes, on all cores where that pays.
template <class Work> void in_parts(size_t bytes, const Work &work) {
  const size_t parts = bytes < shared_from ? 1 : pool_size();
  const size_t part = (bytes / parts + 4095) / 4096 * 4096;
  std::vector<std::thread> helpers;
  size_t first = 0;
  try {
    for (; helpers.size() + 1 < parts && first + part < bytes; first += part)
      helpers.emplace_back([&work, first, part] { work(first, first + part); });
  } catch (const std::system_error &) {
    // No more threads allowed: what is left is done here.
  }
  work(first, bytes);
  for (auto &helper : helpers)
    helper.join();
}

// ---- guard zones ----

// Each guard byte differs from its neighbours and from those of other allocations, so that copying
// one out-of-bounds byte onto another shows.
char guard_byte(size_t number, size_t position) {
  return char(scramble(number, position / 8) >> (position % 8 * 8));
}

// Calls f(address, expected byte) for every guard byte.
template <class F> void for_each_guard_byte(const Allocations::value_type &entry, const F &f) {
  const auto &[base, a] = entry;
  for (char *p = a.raw; p < base; p++)
    f(p, guard_byte(a.number, p - a.raw));
  for (char *p = base + a.size; p < a.raw + a.raw_size; p++)
    f(p, guard_byte(a.number, p - a.raw));
}

// Appends the damage of an allocation, if any, and mends it.
void inspect(const Allocations::value_type &entry, bool at_free, std::vector<Damage> &found) {
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

size_t whole(size_t bytes) { return (bytes + closed - 1) / closed * closed; }

// Pages, apart from all others of the process: a kernel that goes past their end meets its error,
// and neither the host's memory nor the stacks of threads.
char *map(size_t bytes) {
  void *p = mmap(nullptr, whole(bytes) + closed, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED)
    return nullptr;
  mprotect(static_cast<char *>(p) + whole(bytes), closed, PROT_NONE);
  return static_cast<char *>(p);
}

// Small blocks, of 2^n bytes, share pieces, as on a GPU. A freed one waits for the next of its
// size.
class Small {
public:
  char *take(size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<char *> &free = free_[size_of(bytes)];
    if (free.empty()) {
      const size_t size = size_of(bytes);
      if (size > room_) {
        if (char *const memory = map(piece))
          next_ = memory, room_ = piece;
        else
          return nullptr;
      }
      free.push_back(next_);
      next_ += size;
      room_ -= size;
    }
    char *const block = free.back();
    free.pop_back();
    return block;
  }

  void give_back(char *block, size_t bytes) {
    const size_t size = size_of(bytes);
    if (size > closed) // the system may have its pages until then
      madvise(block + (closed - reinterpret_cast<uintptr_t>(block) % closed) % closed,
              size - closed, MADV_FREE);
    std::lock_guard<std::mutex> lock(mutex_);
    free_[size].push_back(block);
  }

private:
  static size_t size_of(size_t bytes) {
    size_t size = alignment;
    while (size < bytes)
      size *= 2;
    return size;
  }

  std::mutex mutex_;
  std::map<size_t, std::vector<char *>> free_; // by size
  char *next_ = nullptr;                       // of the last piece, what nobody had
  size_t room_ = 0;
};

Small &small() {
  static auto &blocks = *new Small;
  return blocks;
}

char *take(size_t bytes, bool mapped) {
  if (tools::on)
    return tools::take(bytes);
  if (!mapped)
    return small().take(bytes);
  char *const memory = map(bytes);
  if (memory)
    madvise(memory, bytes, MADV_HUGEPAGE); // fewer page faults at the first touch
  return memory;
}

void give_back(const Allocation &a) {
  if (tools::on)
    tools::give_back(a.raw, a.raw_size);
  else if (a.mapped)
    munmap(a.raw, whole(a.raw_size) + closed);
  else
    small().give_back(a.raw, a.raw_size);
}

bool on_device(Place place) { return place == Place::device || place == Place::managed; }

size_t count_live(bool bytes) {
  std::lock_guard<std::mutex> lock(allocations_mutex);
  size_t sum = 0;
  for (const auto &[base, a] : allocations())
    if (a.raw && on_device(a.place) && !a.freed)
      sum += bytes ? a.size : 1;
  return sum;
}

// True if the tools have room for so many more bytes: each byte takes 12 bytes of theirs, and a
// machine without that room would notice too late. Guarded by allocations_mutex.
bool tools_have_room(size_t bytes) {
  if (!tools::on || tools::counts_waits())
    return true;
  size_t used = pinned_bytes;
  for (const Device &device : devices())
    used += device.used;
  const size_t room = host_capacity() / 13 * 3 / 2; // three quarters of what was free
  if (used + bytes <= room)
    return true;
  std::fprintf(stderr,
               "error: not enough memory for %zu bytes under the tools, which need 13 times the "
               "memory of a program: %zu bytes are allocated, and the limit is %zu; use a smaller "
               "size\n",
               bytes, used, room);
  return false;
}

} // namespace

std::mutex allocations_mutex;
std::atomic<bool> managed_was_allocated{false}, pinned_was_allocated{false},
    pinned_was_copied{false};

// The program's __managed__ variables are one allocation.
static Allocations managed_variables() {
  char *const begin = __start_course_cpu_managed, *const end = __stop_course_cpu_managed;
  return begin == end ? Allocations{}
                      : Allocations{{begin, Allocation{Place::managed, 0,
                                                       static_cast<size_t>(end - begin)}}};
}

Allocations &allocations() {
  static auto &map = *new Allocations(managed_variables());
  return map;
}

Allocations::iterator find_allocation(const void *address) {
  char *p = static_cast<char *>(const_cast<void *>(address));
  auto next = allocations().upper_bound(p);
  if (next == allocations().begin())
    return allocations().end();
  auto entry = std::prev(next);
  return p < entry->first + entry->second.size ? entry : allocations().end();
}

cudaError_t allocate(void **pointer, size_t bytes, Place place) {
  if (!pointer)
    return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0)
    return cudaSuccess;
  Device &device = current_device();
  const bool pinned = place == Place::pinned;
  Allocation a{place, device.index, bytes};
  {
    std::lock_guard<std::mutex> lock(allocations_mutex);
    size_t &used = pinned ? pinned_bytes : device.used;
    const size_t capacity =
        pinned ? host_capacity() : std::min<size_t>(device.capacity, device_limit);
    if (bytes > capacity - used || !tools_have_room(bytes))
      return cudaErrorMemoryAllocation;
    used += bytes; // taken before the memory is: no other thread can take it too
    a.number = ++last_number;
  }
  a.guarded = guarding && !pinned;
  a.raw_size = (bytes + alignment - 1) / alignment * alignment;
  a.mapped = a.guarded || a.raw_size >= mapped_from;
  // Large arrays start at different places of their first page. Where a store to one and a load
  // from another share the low 12 bits of the address, processors take the load to depend on the
  // store: a Jacobi step is five times as slow then.
  const size_t stagger = a.mapped && !tools::on ? a.number * 5 % 16 * alignment : 0;
  const size_t before = a.guarded ? zone : stagger;
  a.raw_size += a.guarded ? 2 * zone : stagger;
  a.raw = take(a.raw_size, a.mapped);
  if (!a.raw) {
    std::lock_guard<std::mutex> lock(allocations_mutex);
    (pinned ? pinned_bytes : device.used) -= bytes;
    return cudaErrorMemoryAllocation;
  }
  char *base = a.raw + before;
  if (!pinned && (bytes <= always_poisoned || a.guarded || order().kind != Order::forward ||
                  (tools::on && place == Place::managed)))
    fill_bytes(base, 0xFF, bytes);
  if (a.guarded)
    for_each_guard_byte({base, a}, [](char *p, char expected) { *p = expected; });
  std::lock_guard<std::mutex> lock(allocations_mutex);
  allocations()[base] = a;
  managed_was_allocated = managed_was_allocated || place == Place::managed;
  pinned_was_allocated = pinned_was_allocated || pinned;
  tools::allocated(base, bytes, place, device.index);
  *pointer = base;
  return cudaSuccess;
}

void release(Allocations::iterator entry) {
  const Allocation &a = entry->second;
  inspect(*entry, true, found_at_free());
  (a.place == Place::pinned ? pinned_bytes : devices()[a.device].used) -= a.size;
  tools::freed(entry->first);
  give_back(a);
  allocations().erase(entry);
}

cudaError_t free_memory(void *pointer, bool pinned) {
  if (!pointer)
    return cudaSuccess;
  int device;
  {
    std::lock_guard<std::mutex> lock(allocations_mutex);
    auto entry = allocations().find(static_cast<char *>(pointer));
    if (entry == allocations().end() || !entry->second.raw || entry->second.freed ||
        pinned == on_device(entry->second.place)) {
      tools::free_refused(pointer);
      return cudaErrorInvalidValue;
    }
    device = entry->second.device;
  }
  finish_all(devices()[device]);
  std::lock_guard<std::mutex> lock(allocations_mutex);
  auto entry = allocations().find(static_cast<char *>(pointer));
  if (entry == allocations().end())
    return cudaErrorInvalidValue; // another thread was faster
  release(entry);
  return devices()[device].sticky;
}

Location locate(const void *pointer) {
  std::lock_guard<std::mutex> lock(allocations_mutex);
  auto entry = find_allocation(pointer);
  if (entry == allocations().end())
    return {};
  const auto &[base, a] = *entry;
  return {a.place, a.device, base, size_t(base + a.size - static_cast<const char *>(pointer))};
}

size_t known_bytes(const void *start, size_t bytes) {
  std::lock_guard<std::mutex> lock(allocations_mutex);
  char *const begin = static_cast<char *>(const_cast<void *>(start)), *const end = begin + bytes;
  auto entry = find_allocation(begin);
  if (entry == allocations().end())
    entry = allocations().upper_bound(begin);
  size_t known = 0;
  for (; entry != allocations().end() && entry->first < end; ++entry)
    known += std::min(end, entry->first + entry->second.size) - std::max(begin, entry->first);
  return known;
}

void add_symbol(const void *address, size_t bytes) {
  std::lock_guard<std::mutex> lock(allocations_mutex);
  char *base = static_cast<char *>(const_cast<void *>(address));
  const Allocation variable{Place::device, current_device().index, bytes};
  ++allocations().try_emplace(base, variable).first->second.uses;
}

void drop_symbol(const void *address) {
  std::lock_guard<std::mutex> lock(allocations_mutex);
  const auto entry = find_allocation(address);
  const bool known = entry != allocations().end() && entry->second.place == Place::device;
  if (known && --entry->second.uses == 0) // not one that is managed
    allocations().erase(entry);
}

void give_symbol(const void *address) { tools::symbol_given(address); }

bool kernels_keep(const void *pointer) {
  std::lock_guard<std::mutex> lock(allocations_mutex);
  return std::any_of(allocations().begin(), allocations().end(), [=](const auto &entry) {
    const auto *const words = reinterpret_cast<const void *const *>(entry.first);
    const auto *const end = words + entry.second.size / sizeof *words;
    return std::find(words, end, pointer) != end;
  });
}

void free_all(Device &device) {
  std::lock_guard<std::mutex> lock(allocations_mutex);
  for (auto entry = allocations().begin(); entry != allocations().end();) {
    auto next = std::next(entry);
    if (entry->second.raw && entry->second.device == device.index)
      release(entry);
    entry = next;
  }
}

void copy_bytes(void *to, const void *from, size_t bytes) {
  in_parts(bytes, [=](size_t first, size_t past_last) {
    std::memmove(static_cast<char *>(to) + first, static_cast<const char *>(from) + first,
                 past_last - first);
  });
}

void fill_bytes(void *to, int value, size_t bytes) {
  in_parts(bytes, [=](size_t first, size_t past_last) {
    std::memset(static_cast<char *>(to) + first, value, past_last - first);
  });
}

// ---- course_cpu_grader.h ----

void limit_memory(size_t bytes) { device_limit = bytes; }

bool host_memory_is_shared() {
  return managed_was_allocated || &__start_course_cpu_managed[0] != &__stop_course_cpu_managed[0] ||
         (pinned_was_allocated && !pinned_was_copied);
}

void guard_memory(bool on) { guarding = on; }

void guard_host_array(const void *start, size_t bytes) { tools::host_array(start, bytes); }

void say_refused(const std::string &what) {
  if (guarding)
    std::fprintf(stderr, "%s\n", what.c_str());
}

std::vector<Damage> check_guards() {
  for (Device &device : devices())
    finish_all(device);
  std::lock_guard<std::mutex> lock(allocations_mutex);
  std::vector<Damage> found;
  found.swap(found_at_free());
  for (const Allocations::value_type &entry : allocations())
    inspect(entry, false, found);
  return found;
}

std::string describe(const Damage &d) {
  const bool before = d.first < 0;
  const std::ptrdiff_t end = std::ptrdiff_t(d.allocation_bytes);
  const std::string distance =
      before ? std::to_string(-d.first) + " bytes before the start"
             : (d.first == end ? "directly past the end"
                               : std::to_string(d.first - end) + " bytes past the end");
  return "something wrote outside a device array of " + std::to_string(d.allocation_bytes) +
         " bytes (allocation " + std::to_string(d.allocation) + "): " + std::to_string(d.bytes) +
         " bytes changed, the first " + distance;
}

size_t live_allocations() { return count_live(false); }
size_t live_bytes() { return count_live(true); }

size_t live_registrations() {
  std::lock_guard<std::mutex> lock(allocations_mutex);
  return std::count_if(allocations().begin(), allocations().end(), [](const auto &entry) {
    return entry.second.place == Place::pinned && !entry.second.raw;
  });
}

} // namespace course_cpu
