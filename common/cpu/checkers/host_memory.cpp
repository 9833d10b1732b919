// Host memory of malloc and new: where it ends, for copies that go on past its end.
#include "runtime/observer.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

namespace course_cpu {
namespace tools {

namespace {

// The table itself must not be noted in the table.
template <class T> struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U> Allocator(const Allocator<U> &) {}
  T *allocate(std::size_t n) { return static_cast<T *>(std::malloc(n * sizeof(T))); }
  void deallocate(T *p, std::size_t) { std::free(p); }
  friend bool operator==(Allocator, Allocator) { return true; }
  friend bool operator!=(Allocator, Allocator) { return false; }
};

std::mutex mutex;
using Table = std::map<const char *, std::size_t, std::less<>,
                       Allocator<std::pair<const char *const, std::size_t>>>;
Table &table() {
  alignas(Table) static char memory[sizeof(Table)];
  static Table &all = *new (memory) Table; // never destroyed
  return all;
}

void *note(void *memory, std::size_t bytes) {
  if (!memory)
    return memory;
  std::lock_guard<std::mutex> lock(mutex);
  table()[static_cast<char *>(memory)] = bytes;
  return memory;
}

void forget(void *memory) {
  if (!memory)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  table().erase(static_cast<char *>(memory));
}

void *take_or_throw(void *memory, std::size_t bytes) {
  if (!memory)
    throw std::bad_alloc();
  return note(memory, bytes);
}

std::size_t at_least_one(std::size_t bytes) { return bytes == 0 ? 1 : bytes; }

} // namespace

std::size_t room_at(const void *host) {
  const char *p = static_cast<const char *>(host);
  std::lock_guard<std::mutex> lock(mutex);
  const auto after = table().upper_bound(p);
  if (after == table().begin())
    return 0;
  const auto &[begin, bytes] = *std::prev(after);
  return p < begin + bytes ? std::size_t(begin + bytes - p) : 0;
}

void host_array(const void *start, std::size_t bytes) {
  void *const memory = const_cast<void *>(start);
  if (bytes > 0)
    note(memory, bytes);
  else
    forget(memory);
}

} // namespace tools
} // namespace course_cpu

using namespace course_cpu::tools;

// What the program's own code calls: see cuda_runtime.h.
extern "C" {
void *course_cpu_malloc(std::size_t bytes) { return note(std::malloc(bytes), bytes); }
void *course_cpu_calloc(std::size_t count, std::size_t bytes) {
  return note(std::calloc(count, bytes), count * bytes);
}
void *course_cpu_realloc(void *memory, std::size_t bytes) {
  forget(memory);
  return note(std::realloc(memory, bytes), bytes);
}
void course_cpu_free(void *memory) {
  forget(memory);
  std::free(memory);
}
}

// Those of the standard library call these, with `new[]` and the forms that do not throw. Weak: a
// program may have its own, whose memory is not known then.
#define COURSE_WEAK __attribute__((weak))
COURSE_WEAK void *operator new(std::size_t bytes) {
  return take_or_throw(std::malloc(at_least_one(bytes)), bytes);
}
COURSE_WEAK void *operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto a = static_cast<std::size_t>(alignment);
  return take_or_throw(std::aligned_alloc(a, (at_least_one(bytes) + a - 1) / a * a), bytes);
}
COURSE_WEAK void operator delete(void *memory) noexcept { course_cpu_free(memory); }
COURSE_WEAK void operator delete(void *memory, std::size_t) noexcept { course_cpu_free(memory); }
COURSE_WEAK void operator delete(void *memory, std::align_val_t) noexcept {
  course_cpu_free(memory);
}
COURSE_WEAK void operator delete(void *memory, std::size_t, std::align_val_t) noexcept {
  course_cpu_free(memory);
}
