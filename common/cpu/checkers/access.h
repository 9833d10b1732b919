// One load or store: what the hooks call.
#pragma once

#include "clock.h"
#include "shadow.h"

namespace course_cpu {
namespace tools {

// The code that runs on this OS thread.
struct Self {
  bool in_kernel, in_operation;
  bool narrow; // the scope of the atomic operation that runs is its block
  bool waits;  // there were only looks at memory since somebody last changed it: see look()
  std::uint16_t thread;
  std::uint32_t block;
  std::uint64_t when, who; // noted with each access: see note()
  Tick begin;              // of the operation
  Tick floor;              // everybody's accesses up to this tick are ordered before the caller's
  Tick block_begin;        // of the block
  Code last_code;          // of the thread's accesses to memory with a shadow
  Tick barrier;            // those of the own block up to this tick are, too
  std::uintptr_t arguments, arguments_bytes; // of the kernel
  std::uintptr_t variables, variables_bytes; // the program's __thread variables: the built-in ones
  std::uintptr_t stack_top;                  // past the thread's own part of its stack
};
extern __thread Self self __attribute__((tls_model("initial-exec")));

// Of the grid that runs, which blocks on other OS threads share.
extern Tick grid_begin, grid_floor;
extern int grid_device;         // the number of its device
bool peers_may_use(int device); // that device has access to the memory of this one

void enter_operation();
void leave_operation();
Tick next_tick(); // the clock ticks; returns the tick that is over

// Whom accesses are noted for from now on.
inline void note_caller() {
  self.when = now | std::uint64_t{self.block} << 32;
  self.who = std::uint64_t{self.thread} << 32 |
             std::uint64_t(self.in_kernel ? By::thread : By::operation) << 56;
}

// part_read: of a structure with a value, whose bytes without one may be padding; part_write: of
// any structure.
enum class Kind { read, part_read, write, part_write, atomic_read, atomic_write };
constexpr bool writes(Kind kind) {
  return kind == Kind::write || kind == Kind::part_write || kind == Kind::atomic_write;
}

template <Kind kind> void touch_shared(std::uintptr_t address, std::size_t bytes, Code code);

// The caller's stack, the built-in variables, the arguments of the kernel.
inline bool is_private(std::uintptr_t address) {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return address - here < self.stack_top - here ||
         address - self.variables < self.variables_bytes ||
         address - self.arguments < self.arguments_bytes;
}

// An access by the program's code, of up to 16 bytes.
template <Kind kind> inline void touch(const void *pointer, std::size_t bytes, Code code) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (address - range >= range_bytes &&
      (self.in_operation ? is_private(address) : address - watched >= watched_bytes))
    return;
  touch_shared<kind>(address, bytes, code);
}

// A compare-and-swap of a location confirms what the thread has read there just before without an
// atomic: that read is none of a race, whatever it found. Comes before the access itself.
void confirm_read(const void *address, std::size_t bytes);

// A read of up to 16 bytes that may be a structure with padding.
void read_parts(const void *address, std::size_t bytes, Code code);

// One of any size.
template <Kind kind> void touch_range(const void *address, std::size_t bytes, Code code);

bool is_shared(const void *address);

// Findings of -fsanitize=bounds,alignment. `type` is in quotes: 'float [16]'; `column`: of the `]`.
void tell_index(const std::string &type, std::ptrdiff_t index, unsigned column, Code code);
void tell_misaligned(const std::string &type, std::size_t alignment, std::uintptr_t address,
                     Code code);

inline bool clearly_ordered(const Access &a, Tick floor) {
  return a.tick <= floor || (a.tick >= self.begin && a.block == self.block &&
                             (a.thread == self.thread || a.tick <= self.barrier));
}

// True if the running thread did this since the last barrier.
inline bool is_own(const Access &a) {
  return a.tick > self.barrier && a.block == self.block && a.thread == self.thread;
}

// ---- races.cpp ----
Code place_of(const Access &access); // the line for which it counts
void tell_race(const Access &first, bool first_writes, const Access &second, bool second_writes,
               std::uintptr_t address);
// One between threads of the kernel that runs is told by tell_races(), when it has ended.
void note_race(const Access &first, bool first_writes, const Access &second, bool second_writes,
               std::uintptr_t address, bool in_block, const std::string &advice);
bool races_at(Code place); // true if such a race is known
// Two accesses to one word that are not clearly ordered.
void conflict(const Access &before, bool before_writes, const Access &mine, bool mine_writes,
              std::uintptr_t address);
// Accesses of operations in no order, for which a word has no place: if cell.write.more.
std::vector<Access> &aside(Cell &cell); // `written` of a write is not 0
void keep_aside(Cell &cell, Access access, bool writes);
void conflicts_aside(Cell &cell, const Access &mine, bool mine_writes, std::uintptr_t address);
// A read of what nobody wrote.
struct EarlyRead {
  Access access;
  unsigned missing; // bytes of the word
  std::uintptr_t address;
  Cell *cell;
  Access copy; // that brought no value here, if its tick is not 0
};
void note_early_read(bool shared, const EarlyRead &read);
// At the end of a block, or of a kernel for memory that blocks share.
void end_of_reads(bool shared);
void note_unwritten_copy(const Access &copy, std::uintptr_t address); // to the host
void end_of_unordered();        // no operation is queued any more
void end_of_optimistic_reads(); // of a kernel

// ---- outside.cpp ----
Access access_of_caller(Code code);
void tell_outside(std::uintptr_t address, std::size_t bytes, bool write, Code code);
void tell_other_device(std::uintptr_t address, std::size_t bytes, bool write, Code code);
void tell_constant(std::uintptr_t address, std::size_t bytes, Code code); // written by a kernel
void touch_by_host(std::uintptr_t address, std::size_t bytes, Kind kind, Code code);
// A kernel tells the host: accesses up to `known`; those up to `of_system` by a fence that holds
// for the host.
void told_host(const void *address, Tick known, Tick of_system);
bool host_knows(Tick tick, bool of_system);
// A kernel's access to a variable of the program, which may be the host's.
void touch_variable(std::uintptr_t address, std::size_t bytes, bool write, Code code);
// A kernel's access to memory that is neither the device's nor its own.
void touch_foreign(std::uintptr_t address, std::size_t bytes, bool write, Code code);

// ---- symbols.cpp ----
// A kernel reads memory that host code uses, too: it may hold an address that is the host's.
void read_by_kernel(std::uintptr_t address, std::size_t bytes);
void read_by_host(std::uintptr_t address, std::size_t bytes); // then it is the host's again
std::uintptr_t
of_host(std::uintptr_t address); // what a kernel's address without memory means; or 0

// ---- waiting.cpp: threads that wait in a loop until another one changes memory ----
// A volatile or atomic access that changed nothing. The caller may give way to others here.
void look(const void *address, Code code);
// If self.waits: somebody changed memory, or the block has ended.
void end_of_wait();
// If self.waits: another thread of the block goes on.
void other_thread_waits();

// ---- threads.cpp: what orders the threads of one grid, beyond the block's barrier ----
bool ordered_in_grid(const Access &access);
// A narrow one, for fences and for the atomics that release and acquire, holds within a block; a
// fence holds for the host, too, if it is one of the system.
void fence(bool narrow, bool of_system = true);
void acquire(const void *address, bool narrow);
void release(const void *address, bool narrow);
bool fenced_since_barrier(); // the caller
void forget_releases();
void give_way_to_blocks(); // of a cooperative grid

} // namespace tools
} // namespace course_cpu
