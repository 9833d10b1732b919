// Races, and reads of what nobody wrote: one may look like the other.
#include "access.h"

#include "report.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace course_cpu {
namespace tools {

namespace {

bool ordered(const Access &a) {
  return a.tick < self.begin ? ordered_before_operation(a.tick) : ordered_in_grid(a);
}

// A plain read that races with an atomic of another thread, unless it is optimistic: confirmed by
// the compare-and-swap of a loop. A thread may leave that loop before, so one thread that confirms
// what it has read at this address by this code is enough.
struct Doubt {
  Access first, second;
  bool first_writes;
  std::uintptr_t address;
};
using Reader = std::pair<Code, std::uintptr_t>; // with the address of a word
std::map<Reader, Doubt> &doubts() {             // of the kernel that runs
  static auto &all = *new std::map<Reader, Doubt>;
  return all;
}
std::set<Reader> &confirmed() {
  static auto &all = *new std::set<Reader>;
  return all;
}

// Two atomics do not race, unless the scope of one leaves the other out.
bool both_atomic(const Access &a, const Access &b) {
  return a.atomic && b.atomic && (a.block == b.block || !(a.narrow || b.narrow));
}

// Such a read may be one side of a race that its other side comes too late to show. So it waits for
// the end of the block, or of the kernel for memory that blocks share.
struct EarlyReads {
  std::unordered_map<Code, std::vector<EarlyRead>> by_code;
};
EarlyReads &early_reads_global() {
  static auto &all = *new EarlyReads;
  return all;
}
thread_local EarlyReads early_reads_shared;

constexpr std::size_t most_early_reads = 256; // of one place in the code

// Reads that no thread of their own kernel explains. An operation in no order may still come and
// write what they have read: that is a race.
struct Unwritten {
  std::vector<std::string> details;
  std::vector<Code> codes;
  std::size_t met = 0;
};
using AllUnwritten = std::map<Code, Unwritten>; // by the place that they count for
AllUnwritten &unwritten_global() {
  static auto &all = *new AllUnwritten;
  return all;
}

void tell_all(AllUnwritten &all) {
  for (const auto &[place, unwritten] : all)
    if (std::none_of(unwritten.codes.begin(), unwritten.codes.end(),
                     [](Code code) { return was_reported(Tool::racecheck, code); }))
      for (std::size_t i = 0; i < unwritten.met; ++i)
        if (is_new(Tool::initcheck, "read", place))
          tell("read of uninitialised memory", unwritten.details);
  all.clear();
}

} // namespace

// The line for which an access counts: for a copy, or a library's kernel, that of its call.
Code place_of(const Access &access) {
  if (own_code({access.code}) != 0)
    return access.code;
  const Segment segment = segment_at(access.tick);
  return segment.operation ? own_code(segment.operation->calls) : 0;
}

// The time at which the host did it, or queued the operation that did.
static Tick asked_at(const Access &access) {
  const Segment segment = segment_at(access.tick);
  return segment.operation ? segment.operation->queued : access.tick;
}

void tell_race(const Access &first, bool first_writes, const Access &second, bool second_writes,
               std::uintptr_t address) {
  if (!wanted(Tool::racecheck))
    return;
  const bool in_block = first.by == By::thread && second.by == By::thread &&
                        first.block == second.block && first.tick >= self.begin;
  const bool in_grid =
      first.by == By::thread && second.by == By::thread && first.tick >= self.begin;
  std::string advice;
  if (first.atomic && second.atomic)
    advice = "An atomic of block scope is atomic only within one block: between blocks, use the "
             "function without _block in its name, or thread_scope_device.";
  else if (in_block)
    advice = race_advice(first.thread / 32 == second.thread / 32);
  else if (in_grid)
    advice =
        "Nothing orders these blocks of one kernel: use an atomic operation (after a "
        "__threadfence() if it signals that other values are ready), grid.sync() in a cooperative "
        "launch, or a second kernel.";
  else if (first.by == By::host || second.by == By::host)
    advice = second.by == By::host && host_knows(first.tick, false)
                 ? "A __threadfence() orders them for the device only: the host needs a "
                   "__threadfence_system() in the kernel."
                 : "Nothing makes the host wait: a synchronization is missing between the two.";
  else
    advice = "Queued in this order, but nothing orders the two: make the second wait for the first "
             "(the same stream, an event, a synchronization).";
  if (in_grid)
    return note_race(first, first_writes, second, second_writes, address, in_block, advice);
  if (!is_new(Tool::racecheck, "race", place_of(second), place_of(first)))
    return;
  // Whichever came first in this run.
  std::vector<std::string> details{describe(first, first_writes), describe(second, second_writes),
                                   advice};
  if (asked_at(second) < asked_at(first))
    std::swap(details[0], details[1]);
  tell("race on " + describe_memory(address), details);
}

void conflict(const Access &before, bool before_writes, const Access &mine, bool mine_writes,
              std::uintptr_t address) {
  if ((before.bytes & mine.bytes) == 0 || both_atomic(before, mine) || ordered(before))
    return;
  const std::uintptr_t word = address & ~std::uintptr_t{3};
  address = word + __builtin_ctz(before.bytes & mine.bytes);
  const bool may_be_optimistic = before.tick >= self.begin && before.atomic != mine.atomic &&
                                 !(before.atomic ? mine_writes : before_writes);
  if (may_be_optimistic)
    doubts().try_emplace({before.atomic ? mine.code : before.code, word},
                         Doubt{before, mine, before_writes, address});
  else
    tell_race(before, before_writes, mine, mine_writes, address);
}

std::vector<Access> &aside(Cell &cell) {
  static auto &all = *new std::unordered_map<const Cell *, std::vector<Access>>;
  std::vector<Access> &accesses = all[&cell];
  if (!cell.write.more)
    accesses.clear(); // of the cell's memory before, or from before its last write
  cell.write.more = 1;
  return accesses;
}

void keep_aside(Cell &cell, Access access, bool writes) {
  access.written = writes;
  std::vector<Access> &accesses = aside(cell);
  for (Access &other : accesses)
    if (other.tick >= self.begin && other.written == writes) { // one for each operation
      other = access;
      return;
    }
  accesses.push_back(access);
}

void conflicts_aside(Cell &cell, const Access &mine, bool mine_writes, std::uintptr_t address) {
  for (const Access &before : aside(cell))
    if (mine_writes || before.written)
      conflict(before, before.written, mine, mine_writes, address);
}

// Managed memory may have its values from host code that is not instrumented, such as fread: then
// its bytes are no longer those of fresh memory.
static bool host_gave_values(const EarlyRead &read) {
  const std::uintptr_t word = read.address & ~std::uintptr_t{3};
  const Allocation *a = allocation_at(read.address, 1);
  if (!a || !a->managed)
    return false;
  const auto *bytes = reinterpret_cast<const unsigned char *>(word);
  for (unsigned i = 0; i < 4; ++i)
    if ((read.missing >> i & 1) && bytes[i] != 0xFF)
      return true;
  return false;
}

void note_early_read(bool shared, const EarlyRead &read) {
  if (host_gave_values(read))
    return;
  auto &reads = (shared ? early_reads_shared : early_reads_global()).by_code[read.access.code];
  if (reads.size() < most_early_reads)
    reads.push_back(read);
}

void end_of_optimistic_reads() {
  for (const auto &[reader, race] : doubts())
    if (!confirmed().count(reader))
      tell_race(race.first, race.first_writes, race.second, !race.first_writes, race.address);
  doubts().clear();
  confirmed().clear();
}

void confirm_read(const void *pointer, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  for (std::uintptr_t word = address & ~std::uintptr_t{3}; word < address + bytes; word += 4) {
    Cell *const cell = self.in_kernel ? cell_at(word) : nullptr;
    for (int i = 0; cell && i < 2; ++i)
      if (Access &read = cell->read[i]; is_own(read) && !read.atomic) {
        read.atomic = 1;
        confirmed().emplace(read.code, word);
      }
  }
}

void end_of_reads(bool shared) {
  EarlyReads &all = shared ? early_reads_shared : early_reads_global();
  AllUnwritten unwritten_shared;
  AllUnwritten &all_unwritten = shared ? unwritten_shared : unwritten_global();
  for (auto &[code, reads] : all.by_code) {
    if (races_at(code) || was_reported(Tool::racecheck, code))
      continue;
    for (const EarlyRead &read : reads) {
      const Access &write = read.cell->write;
      const bool written =
          (write.written & write.bytes & read.missing) && write.tick >= read.access.tick;
      const bool by_other_block = write.block != read.access.block;
      const bool by_other_thread =
          write.tick == read.access.tick && write.thread != read.access.thread;
      if (written && !both_atomic(write, read.access) && (by_other_block || by_other_thread)) {
        tell_race(read.access, false, write, true, read.address);
        break;
      }
      if (!wanted(Tool::initcheck))
        continue;
      Unwritten &unwritten = all_unwritten[place_of(read.access)];
      if (unwritten.met++ == 0) {
        unwritten.details = {describe(read.access, false), describe_memory(read.address)};
        if (read.copy.tick > 0)
          unwritten.details.push_back("copied without a value, by the " +
                                      describe(read.copy, true));
      }
      if (unwritten.codes.empty() || unwritten.codes.back() != code)
        unwritten.codes.push_back(code);
    }
  }
  all.by_code.clear();
  tell_all(unwritten_shared);
}

void note_unwritten_copy(const Access &copy, std::uintptr_t address) {
  if (!wanted(Tool::initcheck))
    return;
  Unwritten &unwritten = unwritten_global()[place_of(copy)];
  if (unwritten.met++ == 0)
    unwritten.details = {describe(copy, false), describe_memory(address)};
  unwritten.codes = {place_of(copy)};
}

void end_of_unordered() { tell_all(unwritten_global()); }

} // namespace tools
} // namespace course_cpu
