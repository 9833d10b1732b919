// Loads and stores: looks each up in the shadow, and notes it there.
#include "access.h"

#include "count.h"
#include "report.h"
#include "runtime/allocations.h"
#include "runtime/capture.h"
#include "runtime/observer.h"
#include "runtime/worker.h"

#include <algorithm>
#include <cstring>

namespace course_cpu {
namespace tools {

__thread Self self;
Tick grid_begin, grid_floor;
int grid_device;

namespace {

constexpr bool is_atomic(Kind kind) {
  return kind == Kind::atomic_read || kind == Kind::atomic_write;
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

// ---- one word ----

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

constexpr unsigned bytes_shift = 48, narrow_shift = 52, whole_shift = 53, atomic_shift = 58,
                   written_shift = 60;

// Bits of a word without a value whose structure is copied. A copy is recognised by them, also
// after it went through a local variable. They are NaN as a float and as a double, and hardly any
// program has another use for them.
constexpr std::uint32_t no_value = 0xFFFBA7E1, fresh_value = 0xFFFFFFFF; // see allocate()

inline std::uint32_t &word_at(std::uintptr_t address) {
  return *reinterpret_cast<std::uint32_t *>(address & ~std::uintptr_t{3});
}

template <Kind kind>
inline void touch_word(Cell &cell, unsigned bytes, Code code, Tick floor, Tick written_since,
                       bool shared, std::uintptr_t address) {
  Note mine{self.when, self.who | code | std::uint64_t{bytes} << bytes_shift |
                           std::uint64_t{kind == Kind::part_write} << whole_shift |
                           std::uint64_t{is_atomic(kind)} << atomic_shift |
                           std::uint64_t{is_atomic(kind) && self.narrow} << narrow_shift};
  unsigned written = cell.write.written;
  if (__builtin_expect(cell.write.tick < written_since, 0))
    written = 0;
  else if (__builtin_expect(!clearly_ordered(cell.write, floor), 0))
    conflict(cell.write, true, access_of(mine), writes(kind), address);

  if (__builtin_expect(cell.write.more, 0))
    conflicts_aside(cell, access_of(mine), writes(kind), address);

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
      if (cell.write.tick < self.begin)
        keep_aside(cell, access_of(mine), true);
      return;
    }
    // Bytes that this thread wrote of the word just before remain its own.
    if (cell.write.tick == now && is_own(cell.write))
      mine.who |= std::uint64_t{cell.write.bytes} << bytes_shift;
    mine.who |= std::uint64_t{written} << written_shift;
    note(cell.write, mine);
  } else {
    const unsigned missing = bytes & ~written;
    if (__builtin_expect(missing != 0, 0) && written_since > 0 && self.in_kernel) {
      if (kind != Kind::part_read)
        note_early_read(shared, {access_of(mine), missing, address, &cell, {}});
      else if (missing == 15 && (shared || word_at(address) == fresh_value))
        word_at(address) = no_value;
    } else if (kind != Kind::part_read && __builtin_expect(cell.write.whole, 0) && self.in_kernel &&
               word_at(address) == no_value) {
      note_early_read(shared, {access_of(mine), bytes, address, &cell, cell.write});
    }
    Access &first = cell.read[0];
    if (first.tick == now && is_own(first)) {
      if (kind == Kind::atomic_read && !first.atomic)
        return;
      mine.who |= std::uint64_t{first.bytes} << bytes_shift;
      note(first, mine);
    } else {
      Access &place = clearly_ordered(first, floor) ? first : cell.read[1];
      if (__builtin_expect(&place != &first && place.tick < self.begin, 0) &&
          !clearly_ordered(place, floor))
        keep_aside(cell, place, false);
      note(place, mine);
    }
  }
}

inline Tick written_since(const Allocation &a) {
  return a.shared ? self.block_begin : a.on_device || a.managed ? 1 : 0;
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

template <Kind kind>
inline void touch_elsewhere(std::uintptr_t address, std::size_t bytes, Code code) {
  Cell *cell =
      address - image < image_bytes ? image_cells + ((address - image) >> 2) : shared_cell(address);
  if (!cell) {
    if (self.in_kernel)
      touch_foreign(address, bytes, writes(kind), code);
    return;
  }
  if (writes(kind) && self.in_kernel && is_constant_variable(address))
    return tell_constant(address, bytes, code);
  if (self.in_kernel && address - image < image_bytes)
    touch_variable(address, bytes, writes(kind), code);
  if (const Allocation *a = registered_at(address); a && address + bytes > a->end)
    tell_outside(address, bytes, writes(kind), code);
  unsigned bits = ((1u << bytes) - 1) << (address & 3);
  for (; bits; bits >>= 4, ++cell, address = (address & ~std::uintptr_t{3}) + 4)
    if (bits & 15)
      touch_word<kind>(*cell, bits & 15, code, self.floor, 0, false, address);
}

} // namespace

template <Kind kind> void touch_shared(std::uintptr_t address, std::size_t bytes, Code code) {
  if (writes(kind) && !is_atomic(kind) && __builtin_expect(self.waits, 0))
    end_of_wait();
  if (__builtin_expect(counting, 0))
    return count_access(address, bytes, writes(kind), code);
  if (__builtin_expect(!self.in_operation, 0))
    return touch_by_host(address, bytes, kind, code);
  if (address - range >= range_bytes)
    return touch_elsewhere<kind>(address, bytes, code);
  const Allocation *a = granules[(address - range) >> granule_bits];
  if (__builtin_expect(!a || address < a->begin || address + bytes > a->end || !a->live, 0)) {
    a = a == &heap_granules ? allocation_at(address, bytes) : nullptr;
    if (!a || !a->live)
      return tell_outside(address, bytes, writes(kind), code);
  }
  if (a->shared && !in_one_variable(*a, address, bytes))
    return tell_outside(address, bytes, writes(kind), code);
  if (__builtin_expect(a->device != grid_device && a->device != any_device, 0) && self.in_kernel &&
      !peers_may_use(a->device))
    return tell_other_device(address, bytes, writes(kind), code);
  self.last_code = code;
  if (!writes(kind) && !a->on_device && bytes >= sizeof address && self.in_kernel)
    read_by_kernel(address, bytes);
  touch_words<kind>(address, bytes, code, *a);
}

// True if any of these bytes has a value.
static bool has_value(std::uintptr_t address, std::size_t bytes) {
  const Allocation *a = allocation_at(address, bytes);
  if (!a)
    return false;
  const Cell *cell = range_cells + ((address - range) >> 2);
  const Cell *const past_last = range_cells + ((address + bytes - range + 3) >> 2);
  return std::any_of(cell, past_last, [since = written_since(*a)](const Cell &c) {
    return c.write.tick >= since && c.write.written != 0;
  });
}

void read_parts(const void *pointer, std::size_t bytes, Code code) {
  if (!self.in_kernel || counting)
    return touch<Kind::read>(pointer, bytes, code);
  const char *p = static_cast<const char *>(pointer);
  for (; bytes > 8; p += 8, bytes -= 8)
    touch_range<Kind::read>(p, 8, code);
  touch_range<Kind::read>(p, bytes, code);
}

template <Kind kind> void touch_range(const void *pointer, std::size_t bytes, Code code) {
  const char *p = static_cast<const char *>(pointer);
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (!self.in_operation && address - range >= range_bytes && address - watched >= watched_bytes)
    return;
  if constexpr (kind == Kind::read)
    if (self.in_kernel && has_value(address, bytes))
      return touch_range<Kind::part_read>(pointer, bytes, code);
  for (; bytes > 16; p += 16, bytes -= 16)
    touch<kind>(p, 16, code);
  if (bytes > 0)
    touch<kind>(p, bytes, code);
}

template void touch_shared<Kind::read>(std::uintptr_t, std::size_t, Code);
template void touch_shared<Kind::write>(std::uintptr_t, std::size_t, Code);
template void touch_shared<Kind::part_write>(std::uintptr_t, std::size_t, Code);
template void touch_shared<Kind::atomic_read>(std::uintptr_t, std::size_t, Code);
template void touch_shared<Kind::atomic_write>(std::uintptr_t, std::size_t, Code);
template void touch_range<Kind::read>(const void *, std::size_t, Code);
template void touch_range<Kind::write>(const void *, std::size_t, Code);
template void touch_range<Kind::part_write>(const void *, std::size_t, Code);

bool is_shared(const void *pointer) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (address - range >= range_bytes)
    return false;
  const Allocation *a = granules[(address - range) >> granule_bits];
  return a && a->shared;
}

// ---- copies ----

namespace {
// Calls f(cell) for each word of a part of the range.
template <class F> void for_each_word(std::uintptr_t address, std::size_t bytes, const F &f) {
  Cell *cell = range_cells + ((address - range) >> 2);
  for (std::uintptr_t a = address; a < address + bytes; a = (a & ~std::uintptr_t{3}) + 4)
    f(*cell++, a);
}
} // namespace

void filled(const void *to, std::size_t bytes) {
  if (!self.in_operation)
    return;
  if (current_operation().what != library_call)
    current_operation().what = "fill";
  if (counting)
    return;
  touch_range<Kind::write>(to, bytes, 0);
}

void tell_copy(const std::string &why) {
  const Calls calls = calls_of_host();
  if (!wanted(Tool::memcheck))
    return;
  error_reported();
  if (is_new(Tool::memcheck, "copy", own_code(calls)))
    tell(why, {"at " + line_of(calls)});
}

// Reports bytes without a value that a copy brings to the host. Holes of less than 16 bytes may be
// padding of structures, unless there is only one of them in a large copy.
static void find_unwritten(const void *from, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(from);
  std::size_t holes = 0, run = 0, longest = 0, all = 0;
  std::uintptr_t first = 0;
  for_each_word(begin, bytes, [&](const Cell &cell, std::uintptr_t address) {
    const bool has_value = cell.write.tick > 0 && cell.write.written != 0;
    holes += !has_value && run == 0;
    run = has_value ? 0 : run + 4;
    all += has_value ? 0 : 4;
    longest = std::max(longest, run);
    if (!has_value && first == 0)
      first = address;
  });
  if (longest >= 16 || 2 * all >= bytes || (holes == 1 && bytes >= 256))
    note_unwritten_copy(access_of_caller(0), first);
}

void begins(char *base, std::size_t bytes) {
  if (!self.in_operation || counting)
    return;
  current_operation().what = "allocation";
  touch_range<Kind::write>(base, bytes, 0);
  for_each_word(reinterpret_cast<std::uintptr_t>(base), bytes,
                [](Cell &cell, std::uintptr_t) { cell.write.written = 0; });
}

void ends(char *base, std::size_t bytes) {
  if (!self.in_operation || counting)
    return;
  current_operation().what = "free";
  touch_range<Kind::write>(base, bytes, 0);
}

void taken(const void *from, std::size_t bytes) {
  if (!self.in_operation)
    return;
  current_operation().what = library_call;
  if (counting)
    return count_library_read(bytes);
  touch_range<Kind::read>(from, bytes, 0);
  const auto begin = reinterpret_cast<std::uintptr_t>(from);
  if (!wanted(Tool::initcheck) || begin - range >= range_bytes)
    return;
  const Allocation *a = granules[(begin - range) >> granule_bits];
  if (!a || !a->on_device || begin + bytes > a->end)
    return;
  for_each_word(begin, bytes, [end = begin + bytes](const Cell &cell, std::uintptr_t address) {
    const std::size_t first = address & 3, past = std::min<std::size_t>(4, end - (address - first));
    const unsigned bits = (1u << past) - (1u << first); // the bytes of this word that are taken
    const Access access = access_of_caller(0);
    if ((cell.write.written & bits) != bits && is_new(Tool::initcheck, "read", place_of(access)))
      tell("read of uninitialised memory", {describe(access, false), describe_memory(address)});
  });
}

void copied(const void *to, const void *from, std::size_t bytes) {
  if (!self.in_operation)
    return;
  current_operation().what = "copy";
  const auto target = reinterpret_cast<std::uintptr_t>(to) - range;
  const auto source = reinterpret_cast<std::uintptr_t>(from) - range;
  const auto on_device = [](std::uintptr_t offset) {
    const Allocation *a = offset < range_bytes ? granules[offset >> granule_bits] : nullptr;
    return a && a->on_device;
  };
  if (counting) {
    if (on_device(source) && !on_device(target))
      count_bytes_to_host(bytes);
    return;
  }
  touch_range<Kind::read>(from, bytes, 0);
  touch_range<Kind::write>(to, bytes, 0);
  // Bytes without a value have none after the copy either.
  if (!on_device(source))
    return;
  if (!on_device(target))
    return find_unwritten(from, bytes);
  if ((target | source) & 3)
    return;
  for (std::size_t word = 0; word < bytes / 4; ++word) {
    Access &there = range_cells[(target >> 2) + word].write;
    const Access &here = range_cells[(source >> 2) + word].write;
    there.written = here.written;
    there.whole = here.whole;
  }
}

// ---- operations and kernels ----

void enter_operation() {
  self.in_operation = true;
  self.stack_top = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + (64 << 10);
  self.block = no_block;
  self.thread = 0;
  self.begin = current_operation().begin;
  self.floor = floor_of_operation();
  self.barrier = self.block_begin = self.begin;
  note_caller();
}

void leave_operation() { self.in_operation = false; }

bool peers_may_use(int device) { return devices()[grid_device].peers[device]; }

void begin_kernel(const Grid &grid) {
  grid_device = current_device().index;
  Operation &operation = current_operation();
  operation.kernel = grid.site.kernel;
  operation.file = grid.site.file;
  operation.line = grid.site.line;
  operation.grid = grid.configuration.grid;
  operation.block = grid.configuration.block;
  if (counting)
    count_kernel(operation);
  // Some operations run several grids, one after the other.
  const bool all_ordered = floor_of_operation() == operation.begin - 1;
  next_tick();
  self.begin = grid_begin = now;
  self.floor = grid_floor = all_ordered ? now - 1 : floor_of_operation();
}

void end_kernel() {
  end_of_optimistic_reads();
  end_of_reads(false);
  tell_races();
  forget_releases();
}

} // namespace tools
} // namespace course_cpu
