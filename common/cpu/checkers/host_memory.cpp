// Host memory of malloc and new: where it ends, for copies that go on past its end. And whether it
// is still there, or the function whose local variable it was, when a graph or a host function uses
// it.
#include "access.h"
#include "report.h"
#include "runtime/observer.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <unwind.h>

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
struct Block {
  std::size_t bytes, number; // number: of the allocation
};
using Table =
    std::map<const char *, Block, std::less<>, Allocator<std::pair<const char *const, Block>>>;
Table &table() {
  alignas(Table) static char memory[sizeof(Table)];
  static Table &all = *new (memory) Table; // never destroyed
  return all;
}

void *note(void *memory, std::size_t bytes) {
  if (!memory)
    return memory;
  std::lock_guard<std::mutex> lock(mutex);
  static std::size_t allocations = 0;
  table()[static_cast<char *>(memory)] = {bytes, ++allocations};
  return memory;
}

void forget(void *memory) {
  std::unique_lock<std::mutex> lock(mutex);
  const auto block = table().find(static_cast<const char *>(memory));
  if (block == table().end())
    return;
  const std::size_t bytes = block->second.bytes;
  table().erase(block);
  lock.unlock();
  host_freed(reinterpret_cast<std::uintptr_t>(memory), bytes);
}

void *take_or_throw(void *memory, std::size_t bytes) {
  if (!memory)
    throw std::bad_alloc();
  return note(memory, bytes);
}

// The block that holds an address; the caller holds the mutex.
Table::const_iterator block_at(const char *address) {
  const auto after = table().upper_bound(address);
  if (after == table().begin() ||
      address >= std::prev(after)->first + std::prev(after)->second.bytes)
    return table().end();
  return std::prev(after);
}

struct Frame {
  std::uintptr_t function, top; // top: past its last address
};

// Calls f(frame, bottom) for the caller's frames, innermost first, until it returns true.
template <class F> bool any_frame(F f) {
  struct Walk {
    F &f;
    std::uintptr_t function = 0, bottom = 0; // of the frame before
    bool found = false;
  } walk{f};
  const auto visit = [](_Unwind_Context *context, void *argument) {
    Walk &its = *static_cast<Walk *>(argument);
    const std::uintptr_t bottom = _Unwind_GetCFA(context); // of this frame, so the top of the last
    its.found = its.function != 0 && its.f(Frame{its.function, bottom}, its.bottom);
    its.function = _Unwind_GetRegionStart(context);
    its.bottom = bottom;
    return its.found ? _URC_END_OF_STACK : _URC_NO_REASON;
  };
  _Unwind_Backtrace(visit, &walk);
  return walk.found;
}

std::size_t at_least_one(std::size_t bytes) { return bytes == 0 ? 1 : bytes; }

} // namespace

std::size_t room_at(const void *host) {
  const char *p = static_cast<const char *>(host);
  std::lock_guard<std::mutex> lock(mutex);
  const auto block = block_at(p);
  return block == table().end() ? 0 : std::size_t(block->first + block->second.bytes - p);
}

HostMemory::HostMemory(const void *host)
    : address(static_cast<const char *>(host)), user(std::this_thread::get_id()),
      calls(calls_of_host()) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(host);
  any_frame([&](const Frame &frame, std::uintptr_t bottom) {
    const bool holds = wanted >= bottom && wanted < frame.top;
    if (holds)
      function = frame.function, top = frame.top;
    return holds;
  });
  std::lock_guard<std::mutex> lock(mutex);
  if (const auto block = block_at(address); block != table().end())
    number = block->second.number;
}

bool HostMemory::is_gone(const char *what, bool written) const {
  const char *why = nullptr;
  if (number > 0) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto block = block_at(address);
    if (block == table().end() || block->second.number != number)
      why = "The program has freed this memory.";
  } else if (function != 0 && user == std::this_thread::get_id() &&
             !any_frame([this](const Frame &frame, std::uintptr_t) {
               return frame.function == function && frame.top == top;
             })) {
    why = "It was a local variable of a function that has returned.";
  }
  if (!why)
    return false;
  current_operation().what = what;
  const Access access = access_of_caller(0);
  if (wanted(Tool::memcheck) && is_new(Tool::memcheck, "gone", place_of(access), own_code(calls)))
    tell(std::string(written ? "write" : "read") + " of host memory that is gone",
         {describe(access, written), "its address is from " + line_of(calls), why});
  return true;
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

// Called by the program's own code: see cuda_runtime.h.
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
