// Members of structures that nobody set. Copies of a structure take them along, which is no fault;
// the copy counts as written. So words without a value are known by their bytes:
//
// - g++ fills local variables with bytes of 0xFE (driver/toolkit.cpp).
// - A word of memory without a value that a kernel reads as part of a structure becomes a NaN with
//   the number of that read. Results of floating-point arithmetic keep it.
//
// Both may be values of the program. Bytes of 0xFE that it has elsewhere end the search for them.
#include "access.h"

#include "report.h"
#include "runtime/worker.h"

#include <cstring>

namespace course_cpu {
namespace tools {

namespace {

struct Mark {
  Access read;
  std::uintptr_t address;
};
std::vector<Mark> &marks() { // one for each place in the code
  static auto &all = *new std::vector<Mark>;
  return all;
}
constexpr std::size_t most_marks = 1 << 16;

bool fills_are_values; // the program has bytes of 0xFE

std::uint32_t word_at(std::uintptr_t address) {
  std::uint32_t word;
  std::memcpy(&word, reinterpret_cast<const void *>(address), sizeof word);
  return word;
}

const Mark *mark_of(std::uint32_t word) {
  const std::size_t number = word - unset_mark;
  return number < marks().size() ? &marks()[number] : nullptr;
}

} // namespace

void mark_unset(const Access &read, std::uintptr_t address) {
  std::size_t number = 0;
  while (number < marks().size() && marks()[number].read.code != read.code)
    ++number;
  if (number == most_marks)
    return;
  if (number == marks().size())
    marks().push_back({read, address});
  const auto word = static_cast<std::uint32_t>(unset_mark + number);
  std::memcpy(reinterpret_cast<void *>(address), &word, sizeof word);
}

bool is_mark(std::uintptr_t address) { return mark_of(word_at(address)) != nullptr; }

bool copied_without_value(const Cell &cell, std::uintptr_t address) {
  const std::uint32_t word = word_at(address);
  const Mark *const mark = mark_of(word);
  if (mark && !cell.write.part)
    note_unwritten_copy(mark->read, mark->address);
  return cell.write.part && (mark || (word == unset_local && !fills_are_values));
}

void copy_of_unset(const Cell &cell, std::uintptr_t address) {
  if (word_at(address) == unset_local && !cell.write.part)
    fills_are_values = true;
}

void read_of_unset(const Cell &cell, std::uintptr_t address, std::size_t bytes, bool shared,
                   const Access &read) {
  if (bytes == 8 && word_at(address + 4) != word_at(address))
    return;
  copy_of_unset(cell, address);
  if (copied_without_value(cell, address))
    note_early_read(shared, {read, 15, address, nullptr});
}

} // namespace tools
} // namespace course_cpu
