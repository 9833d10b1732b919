// Loads and stores: looks each up in the shadow, tells what is wrong, and notes it there.
#include "access.h"

#include "checks.h"
#include "count.h"
#include "report.h"
#include "runtime/context.h"
#include "runtime/worker.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <unordered_map>

namespace course_cpu {
namespace checks {

__thread Self self;
Tick grid_begin, grid_floor;

namespace {

constexpr bool writes(Kind kind) { return kind == Kind::write || kind == Kind::atomic_write; }
constexpr bool is_atomic(Kind kind) {
  return kind == Kind::atomic_read || kind == Kind::atomic_write;
}

// ---- races
// ----------------------------------------------------------------------------------------

inline bool clearly_ordered(const Access &a, Tick floor) {
  return a.tick <= floor || (a.tick >= self.begin && a.block == self.block &&
                             (a.thread == self.thread || a.tick <= self.barrier));
}

// Whether the thread that runs did this since the last barrier.
inline bool is_own(const Access &a) {
  return a.tick > self.barrier && a.block == self.block && a.thread == self.thread;
}

bool ordered(const Access &a) {
  return a.tick < self.begin ? ordered_before_operation(a.tick) : ordered_in_grid(a);
}

// The line for which an access counts: for a copy, or a library's kernel, that of its call.
Code place_of(const Access &access) {
  if (own_code({access.code}) != 0)
    return access.code;
  const Segment segment = segment_at(access.tick);
  return segment.operation ? own_code(segment.operation->calls) : 0;
}

void tell_race(const Access &first, bool first_writes, const Access &second, bool second_writes,
               std::uintptr_t address) {
  if (!wanted(Tool::racecheck) ||
      !is_new(Tool::racecheck, "race", place_of(second), place_of(first)))
    return;
  const bool in_block = first.by == By::thread && second.by == By::thread &&
                        first.block == second.block && first.tick >= self.begin;
  const bool in_grid =
      first.by == By::thread && second.by == By::thread && first.tick >= self.begin;
  std::string advice;
  if (in_block && first.thread / 32 == second.thread / 32)
    advice = "Nothing orders the two: a __syncwarp or a __syncthreads is missing between them, or "
             "an atomic.";
  else if (in_block)
    advice = "Nothing orders the two: a __syncthreads is missing between them, or an atomic.";
  else if (in_grid)
    advice = "Nothing orders two blocks of a kernel: use an atomic, or a second kernel.";
  else
    advice = "Nothing orders the two: wait for the first before the second begins (a stream, an "
             "event, a synchronization).";
  tell("race on " + describe_memory(address),
       {describe(second, second_writes), describe(first, first_writes), advice});
}

// A plain read that races with an atomic of another thread, unless a compare-and-swap confirms it.
struct Unconfirmed {
  Access write, read;
  std::uintptr_t address;
};
__thread Unconfirmed unconfirmed; // if self.unconfirmed

__attribute__((noinline)) void conflict(const Access &before, bool before_writes,
                                        const Access &mine, bool mine_writes,
                                        std::uintptr_t address) {
  if ((before.bytes & mine.bytes) == 0 || (before.atomic && mine.atomic) || ordered(before))
    return;
  address = (address & ~std::uintptr_t{3}) + __builtin_ctz(before.bytes & mine.bytes);
  if (self.unconfirmed) {
    if (unconfirmed.read.code == mine.code && address - unconfirmed.address < 8)
      return; // the other word of a long one
    end_of_confirmations();
  }
  self.unconfirmed = before.atomic && !mine_writes;
  if (self.unconfirmed)
    unconfirmed = {before, mine, address};
  else
    tell_race(before, before_writes, mine, mine_writes, address);
}

// ---- reads of what nobody wrote
// -----------------------------------------------------------------------

// Such a read may be one side of a race that its other side comes too late to show. So it waits for
// the end of the block, or of the kernel for memory that blocks share.
struct EarlyRead {
  Access access;
  std::uintptr_t address;
  Cell *cell;
};
struct EarlyReads {
  std::unordered_map<Code, std::vector<EarlyRead>> by_code;
};
EarlyReads early_reads_global;
thread_local EarlyReads early_reads_shared;

constexpr std::size_t most_early_reads = 256; // of one place in the code

__attribute__((noinline)) void note_early_read(bool shared, const EarlyRead &read) {
  auto &reads = (shared ? early_reads_shared : early_reads_global).by_code[read.access.code];
  if (reads.size() < most_early_reads)
    reads.push_back(read);
}

// ---- memory that must not be touched
// -------------------------------------------------------------------

std::string size_text(std::size_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

Access access_of_caller(Code code) {
  Access a{};
  a.tick = now;
  a.block = self.block;
  a.thread = self.thread;
  a.code = code;
  a.by = self.in_kernel ? By::thread : self.in_operation ? By::operation : By::host;
  return a;
}

__attribute__((noinline)) void tell_outside(std::uintptr_t address, std::size_t bytes, bool write,
                                            Code code) {
  if (!wanted(Tool::memcheck))
    return;
  const Allocation *a = nearest(address);
  const bool freed = a && !a->live && address >= a->begin && address < a->end;
  if (!is_new(Tool::memcheck, freed ? "freed" : "outside", place_of(access_of_caller(code))))
    return;
  const Access access = access_of_caller(code);
  const char *verb = write ? "write" : "read";
  std::vector<std::string> details{describe(access, write)};
  if (freed) {
    details.push_back("freed at " + line_of(a->freed));
    details.push_back("allocated at " + line_of(a->allocated) + ", " +
                      size_text(a->end - a->begin));
    return tell(std::string(verb) + " of memory that is freed", details);
  }
  details.push_back(describe_memory(address));
  tell(std::string(verb) + " of " + size_text(bytes) + " outside any array", details);
}

// Memory of shared arenas that no variable has, or that goes beyond one.
bool in_one_variable(const Allocation &arena, std::uintptr_t address, std::size_t bytes) {
  const std::size_t offset = address - arena.begin;
  if (offset + bytes > arena_bytes)
    return false;
  const unsigned owner = owners[offset >> owner_bits];
  if (owner == 0)
    return false;
  const Variable &v = variable(owner);
  return offset + bytes <= v.offset + v.bytes;
}

// ---- one word
// -------------------------------------------------------------------------------------

// An access as it is noted, in two words that stay in registers.
struct Note {
  std::uint64_t when, who;
};
static_assert(sizeof(Note) == sizeof(Access), "a note is an access");

inline void note(Access &place, const Note &note) { std::memcpy(&place, &note, sizeof note); }

inline Access access_of(const Note &note) {
  Access access;
  std::memcpy(&access, &note, sizeof note);
  return access;
}

constexpr unsigned bytes_shift = 48, atomic_shift = 58, written_shift = 60;

template <Kind kind>
inline void touch_word(Cell &cell, unsigned bytes, Code code, Tick floor, Tick written_since,
                       bool shared, std::uintptr_t address) {
  Note mine{self.when, self.who | code | std::uint64_t{bytes} << bytes_shift |
                           std::uint64_t{is_atomic(kind)} << atomic_shift};
  unsigned written = cell.write.written;
  if (__builtin_expect(cell.write.tick < written_since, 0))
    written = 0;
  else if (__builtin_expect(!clearly_ordered(cell.write, floor), 0))
    conflict(cell.write, true, access_of(mine), writes(kind), address);

  if constexpr (writes(kind)) {
    for (const Access &read : cell.read)
      if (__builtin_expect(!clearly_ordered(read, floor), 0))
        conflict(read, false, access_of(mine), true, address);
    written |= bytes;
    // An atomic hides neither what its own thread wrote before without one, nor the atomic of
    // another thread: with that one, too, a later access may race.
    const bool keeps =
        kind == Kind::atomic_write &&
        (is_own(cell.write) ? !cell.write.atomic
                            : cell.write.atomic && !clearly_ordered(cell.write, floor));
    if (keeps) {
      cell.write.written = written & 15;
      return;
    }
    // What this thread wrote of the word just before stays its own.
    if (cell.write.tick == now && is_own(cell.write))
      mine.who |= std::uint64_t{cell.write.bytes} << bytes_shift;
    mine.who |= std::uint64_t{written} << written_shift;
    note(cell.write, mine);
  } else {
    if (__builtin_expect((written & bytes) == 0, 0) && written_since > 0 && self.in_kernel)
      note_early_read(shared, {access_of(mine), address, &cell});
    Access &first = cell.read[0];
    if (first.tick == now && is_own(first)) {
      if (kind == Kind::atomic_read && !first.atomic)
        return;
      mine.who |= std::uint64_t{first.bytes} << bytes_shift;
      note(first, mine);
    } else {
      note(clearly_ordered(first, floor) ? first : cell.read[1], mine);
    }
  }
}

inline Tick written_since(const Allocation &a) {
  return a.shared ? self.block_begin : a.on_device ? 1 : 0;
}

template <Kind kind>
inline void touch_words(std::uintptr_t address, std::size_t bytes, Code code, const Allocation &a) {
  const std::uintptr_t offset = address - range;
  Cell *cell = range_cells + (offset >> 2);
  const Tick floor = a.shared ? self.barrier : self.floor, since = written_since(a);
  if (bytes == 4 && (offset & 3) == 0)
    return touch_word<kind>(*cell, 15, code, floor, since, a.shared, address);
  unsigned bits = ((1u << bytes) - 1) << (offset & 3);
  for (; bits; bits >>= 4, ++cell, address = (address & ~std::uintptr_t{3}) + 4)
    if (bits & 15)
      touch_word<kind>(*cell, bits & 15, code, floor, since, a.shared, address);
}

// ---- host code
// --------------------------------------------------------------------------------------

__attribute__((noinline)) void touch_by_host(std::uintptr_t address, std::size_t bytes, bool write,
                                             Code code) {
  std::lock_guard<std::recursive_mutex> lock(timeline_mutex);
  const Allocation *a = granules[(address - range) >> granule_bits];
  if (!a || address < a->begin || address + bytes > a->end || !a->live)
    return tell_outside(address, bytes, write, code);
  if (a->on_device) {
    if (wanted(Tool::memcheck) && is_new(Tool::memcheck, "device", code))
      tell("host code touches device memory",
           {describe(access_of_caller(code), write), describe_memory(address),
            "Copy it with cudaMemcpy first, or allocate it with cudaMallocManaged."});
    return;
  }
  host_is_here();
  const std::uintptr_t offset = address - range;
  Cell *cell = range_cells + (offset >> 2);
  std::size_t bits = ((std::size_t{1} << bytes) - 1) << (offset & 3);
  for (; bits; bits >>= 4, ++cell, address = (address & ~std::uintptr_t{3}) + 4) {
    Access mine = access_of_caller(code);
    mine.bytes = bits & 15;
    const auto check = [&](const Access &before, bool before_writes) {
      if (before.by != By::host && (before.bytes & mine.bytes) && before.tick > 0 &&
          !ordered_before_host(before.tick))
        tell_race(before, before_writes, mine, write, address);
    };
    check(cell->write, true);
    if (!write) {
      cell->read[cell->read[0].by == By::host ? 0 : 1] = mine;
      continue;
    }
    check(cell->read[0], false);
    check(cell->read[1], false);
    mine.written = cell->write.written | mine.bytes;
    cell->write = mine;
  }
}

// ---- addresses outside the range
// ------------------------------------------------------------------------

// What is mapped at an address: nothing, a file's content, or memory.
enum class Mapping { none, file, memory };

Mapping mapping_at(std::uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    std::uintptr_t begin = 0, end = 0;
    char dash;
    std::istringstream fields(line);
    fields >> std::hex >> begin >> dash >> end;
    if (address < begin || address >= end)
      continue;
    return line.find('/') != line.npos || line.find("[v") != line.npos ? Mapping::file
                                                                       : Mapping::memory;
  }
  return Mapping::none;
}

bool is_of_worker(const Worker &worker, std::uintptr_t address) {
  const auto within = [address](const void *begin, std::size_t bytes) {
    return address - reinterpret_cast<std::uintptr_t>(begin) < bytes;
  };
  if (within(worker.fibers.data(), worker.fibers.size() * sizeof(Fiber)) ||
      worker.direct.holds(reinterpret_cast<void *>(address)) ||
      worker.stacks.holds(reinterpret_cast<void *>(address)))
    return true;
  for (const Meeting &meeting : worker.all_meetings)
    if (within(&meeting, sizeof meeting))
      return true;
  return false;
}

// A kernel's access to memory that is neither the device's nor its own.
__attribute__((noinline)) void touch_foreign(std::uintptr_t address, std::size_t bytes, bool write,
                                             Code code) {
  static std::uintptr_t harmless_page = ~std::uintptr_t{0}; // looked up last
  if (address >> 12 == harmless_page || is_of_worker(worker(), address))
    return;
  const Mapping mapping = mapping_at(address);
  if (mapping == Mapping::file) {
    harmless_page = address >> 12;
    return;
  }
  if (!wanted(Tool::memcheck))
    return;
  char hex[32];
  std::snprintf(hex, sizeof hex, "0x%zx", static_cast<std::size_t>(address));
  if (is_new(Tool::memcheck, "foreign", code)) {
    const std::string what = std::string(write ? "write" : "read") + " of " + size_text(bytes);
    std::vector<std::string> details{describe(access_of_caller(code), write)};
    if (mapping == Mapping::memory)
      details.push_back("address " + std::string(hex) +
                        " is memory of the host: pass the kernel what cudaMalloc gave");
    else
      details.push_back("address " + std::string(hex) +
                        (address < 65536 ? " is a null pointer" : " is no memory at all"));
    tell(mapping == Mapping::memory ? what + " of host memory by a kernel"
                                    : what + " outside any array",
         details);
  }
  abandon(cudaErrorIllegalAddress, "");
}

template <Kind kind>
inline void touch_elsewhere(std::uintptr_t address, std::size_t bytes, Code code) {
  if (address - image >= image_bytes) {
    if (self.in_kernel)
      touch_foreign(address, bytes, writes(kind), code);
    return;
  }
  Cell *cell = image_cells + ((address - image) >> 2);
  unsigned bits = ((1u << bytes) - 1) << (address & 3);
  for (; bits; bits >>= 4, ++cell, address = (address & ~std::uintptr_t{3}) + 4)
    if (bits & 15)
      touch_word<kind>(*cell, bits & 15, code, self.floor, 0, false, address);
}

} // namespace

template <Kind kind> void touch_shared(std::uintptr_t address, std::size_t bytes, Code code) {
  if (__builtin_expect(counting, 0))
    return count_access(address, bytes, writes(kind));
  if (address - range >= range_bytes)
    return touch_elsewhere<kind>(address, bytes, code);
  if (__builtin_expect(!self.in_operation, 0))
    return touch_by_host(address, bytes, writes(kind), code);
  const Allocation *a = granules[(address - range) >> granule_bits];
  if (__builtin_expect(!a || address < a->begin || address + bytes > a->end || !a->live, 0) ||
      (a->shared && !in_one_variable(*a, address, bytes)))
    return tell_outside(address, bytes, writes(kind), code);
  self.last_code = code;
  touch_words<kind>(address, bytes, code, *a);
}

template <Kind kind> void touch_range(const void *pointer, std::size_t bytes, Code code) {
  const char *p = static_cast<const char *>(pointer);
  if (!self.in_operation && reinterpret_cast<std::uintptr_t>(p) - range >= range_bytes)
    return;
  for (; bytes > 16; p += 16, bytes -= 16)
    touch<kind>(p, 16, code);
  if (bytes > 0)
    touch<kind>(p, bytes, code);
}

template void touch_shared<Kind::read>(std::uintptr_t, std::size_t, Code);
template void touch_shared<Kind::write>(std::uintptr_t, std::size_t, Code);
template void touch_shared<Kind::atomic_read>(std::uintptr_t, std::size_t, Code);
template void touch_shared<Kind::atomic_write>(std::uintptr_t, std::size_t, Code);
template void touch_range<Kind::read>(const void *, std::size_t, Code);
template void touch_range<Kind::write>(const void *, std::size_t, Code);

void end_of_confirmations() {
  const Unconfirmed race = unconfirmed;
  self.unconfirmed = false;
  tell_race(race.write, true, race.read, false, race.address);
}

void confirm_read(const void *pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (address - range >= range_bytes || !self.in_kernel)
    return;
  if (self.unconfirmed && unconfirmed.address - address < 8)
    self.unconfirmed = false;
  for (std::uintptr_t word = 0; word < 2; ++word)
    for (Access &read : range_cells[((address - range) >> 2) + word].read)
      if (is_own(read))
        read.atomic = 1;
}

bool is_shared(const void *pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (address - range >= range_bytes)
    return false;
  const Allocation *a = granules[(address - range) >> granule_bits];
  return a && a->shared;
}

void tell_index(const std::string &type, std::ptrdiff_t index, Code code) {
  if (!self.in_kernel || !wanted(Tool::memcheck) || !is_new(Tool::memcheck, "outside", code))
    return;
  tell("index " + std::to_string(index) + " is outside an array of type " + type,
       {describe_who(access_of_caller(code))});
}

void tell_misaligned(const std::string &type, std::size_t alignment, std::uintptr_t address,
                     Code code) {
  if (!self.in_kernel || !wanted(Tool::memcheck))
    return;
  if (is_new(Tool::memcheck, "misaligned", code))
    tell(
        "misaligned access to a " + type,
        {describe_who(access_of_caller(code)), describe_memory(address),
         "The address of a " + type + " must be a multiple of " + std::to_string(alignment) + "."});
  abandon(cudaErrorMisalignedAddress, "");
}

void end_of_reads(bool shared) {
  EarlyReads &all = shared ? early_reads_shared : early_reads_global;
  for (auto &[code, reads] : all.by_code) {
    if (was_reported(Tool::racecheck, code))
      continue;
    for (const EarlyRead &read : reads) {
      const Access &write = read.cell->write;
      const bool written = (write.written & read.access.bytes) && write.tick >= read.access.tick;
      const bool by_other_block = write.block != read.access.block;
      const bool by_other_thread =
          write.tick == read.access.tick && write.thread != read.access.thread;
      const bool both_atomic = write.atomic && read.access.atomic;
      if (written && !both_atomic && (by_other_block || by_other_thread)) {
        tell_race(read.access, false, write, true, read.address);
        break;
      }
      if (!wanted(Tool::initcheck) || !is_new(Tool::initcheck, "read", place_of(read.access)))
        continue;
      tell("read of memory that nobody wrote",
           {describe(read.access, false), describe_memory(read.address)});
    }
  }
  all.by_code.clear();
}

// ---- copies
// -----------------------------------------------------------------------------------------

namespace {
// Calls f(cell) for each word of a part of the range.
template <class F> void for_each_word(std::uintptr_t address, std::size_t bytes, const F &f) {
  Cell *cell = range_cells + ((address - range) >> 2);
  for (std::uintptr_t a = address; a < address + bytes; a = (a & ~std::uintptr_t{3}) + 4)
    f(*cell++, a);
}
} // namespace

void filled(const void *to, std::size_t bytes) {
  if (self.in_operation && !counting)
    touch_range<Kind::write>(to, bytes, 0);
}

void taken(const void *from, std::size_t bytes) {
  if (!self.in_operation || counting)
    return;
  touch_range<Kind::read>(from, bytes, 0);
  const auto begin = reinterpret_cast<std::uintptr_t>(from);
  if (!wanted(Tool::initcheck) || begin - range >= range_bytes)
    return;
  const Allocation *a = granules[(begin - range) >> granule_bits];
  if (!a || !a->on_device || begin + bytes > a->end)
    return;
  for_each_word(begin, bytes, [](const Cell &cell, std::uintptr_t address) {
    const Access access = access_of_caller(0);
    if (cell.write.written == 0 && is_new(Tool::initcheck, "read", place_of(access)))
      tell("read of memory that nobody wrote", {describe(access, false), describe_memory(address)});
  });
}

void copied(const void *to, const void *from, std::size_t bytes) {
  if (!self.in_operation || counting)
    return;
  touch_range<Kind::read>(from, bytes, 0);
  touch_range<Kind::write>(to, bytes, 0);
  // What had no value has none after the copy either.
  const auto target = reinterpret_cast<std::uintptr_t>(to) - range;
  const auto source = reinterpret_cast<std::uintptr_t>(from) - range;
  if (target >= range_bytes || source >= range_bytes || ((target | source) & 3))
    return;
  const Allocation *a = granules[source >> granule_bits];
  if (!a || !a->on_device)
    return;
  for (std::size_t word = 0; word < bytes / 4; ++word)
    range_cells[(target >> 2) + word].write.written =
        range_cells[(source >> 2) + word].write.written;
}

// ---- operations and kernels
// -------------------------------------------------------------------------

void enter_operation() {
  self.in_operation = true;
  self.block = no_block;
  self.thread = 0;
  self.begin = current_operation().begin;
  self.floor = floor_of_operation();
  self.barrier = self.block_begin = self.begin;
  note_caller();
}

// Some operations run several grids, one after the other.
static void begin_part_of_operation() {
  const bool all_ordered = floor_of_operation() == current_operation().begin - 1;
  next_tick();
  self.begin = grid_begin = now;
  self.floor = grid_floor = all_ordered ? now - 1 : floor_of_operation();
}

void leave_operation() { self.in_operation = false; }

void begin_kernel(const Grid &grid) {
  Operation &operation = current_operation();
  operation.kernel = grid.site.kernel;
  operation.file = grid.site.file;
  operation.line = grid.site.line;
  operation.grid = grid.configuration.grid;
  operation.block = grid.configuration.block;
  if (counting)
    count_kernel(operation);
  begin_part_of_operation();
}

void end_kernel() {
  end_of_reads(false);
  forget_releases();
}

} // namespace checks
} // namespace course_cpu
