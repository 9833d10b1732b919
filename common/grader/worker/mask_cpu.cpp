// The mask over the arrays that host code sees; device_guard.hpp says what it is for.
#include "common/grader/worker/device_guard.hpp"

#include <course_cpu_grader.h>

#include <cstring>
#include <map>
#include <mutex>
#include <unordered_set>

namespace course {
namespace {

// What is unmasked goes by words of four bytes: a number that comes by way of another array, in
// another order or in part, is known by them. Arrays of smaller elements are copied as a whole as a
// rule.
using Word = std::uint32_t;

std::mutex mutex;
Launches treatment = Launches::run;
std::unordered_set<Word> masked; // words that host code has with the mask on
std::unordered_set<Word> plain;  // without: of single numbers, such as a sum or a counter
std::map<const unsigned char *, std::size_t> arrays; // of the judge

// Turns the bits of each byte and changes some, so that no sign, order or sum survives.
constexpr unsigned char key = 0xA6;
unsigned char on(unsigned char byte) { return ((byte << 3 | byte >> 5) & 0xFF) ^ key; }
unsigned char off(unsigned char byte) {
  byte ^= key;
  return (byte >> 3 | byte << 5) & 0xFF;
}

// Calls with(start, bytes) for each whole word, then for what is left.
template <class With> void for_each_word(void *start, std::size_t bytes, const With &with) {
  auto at = static_cast<unsigned char *>(start);
  for (; bytes >= sizeof(Word); at += sizeof(Word), bytes -= sizeof(Word))
    with(at, sizeof(Word));
  if (bytes > 0)
    with(at, bytes);
}

Word word_at(const unsigned char *at, std::size_t bytes) {
  Word word = 0;
  std::memcpy(&word, at, bytes);
  return word;
}

void change(unsigned char *at, std::size_t bytes, unsigned char (*how)(unsigned char)) {
  for (std::size_t i = 0; i < bytes; ++i)
    at[i] = how(at[i]);
}

bool is_of_judge(const void *address) {
  const auto next = arrays.upper_bound(static_cast<const unsigned char *>(address));
  return next != arrays.begin() && address < std::prev(next)->first + std::prev(next)->second;
}

// What host code gets in few bytes is to steer it, as a flag or a counter, or is a result.
constexpr std::size_t few = 32;

void copied(void *to, const void *, std::size_t bytes, bool to_device) {
  std::lock_guard<std::mutex> lock(mutex);
  for_each_word(to, bytes, [&](unsigned char *at, std::size_t its) {
    if (to_device) {
      if (masked.count(word_at(at, its)))
        change(at, its, off);
    } else if (!hides_results(treatment) || (bytes <= few && !is_of_judge(to))) {
      plain.insert(word_at(at, its));
    } else {
      change(at, its, on);
      masked.insert(word_at(at, its));
    }
  });
}

} // namespace

void mask_arrays_for(Launches its_treatment) {
  treatment = its_treatment;
  if (hides(treatment))
    course_cpu::watch_copies(copied);
}

void mask_array(void *array, std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  arrays[static_cast<unsigned char *>(array)] = bytes;
  for_each_word(array, bytes, [](unsigned char *at, std::size_t its) {
    if (hides_inputs(treatment))
      change(at, its, on);
    (hides_inputs(treatment) ? masked : plain).insert(word_at(at, its));
  });
}

void unmask_array(void *array, std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  arrays.erase(static_cast<unsigned char *>(array));
  for_each_word(array, bytes, [](unsigned char *at, std::size_t its) {
    const Word word = word_at(at, its);
    const bool is_of_host = !masked.count(word) && !plain.count(word);
    if (masked.count(word) || (is_of_host && hides_results(treatment)))
      change(at, its, off);
  });
}

void unmask_result(void *result, std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  for_each_word(result, bytes, [](unsigned char *at, std::size_t its) {
    if (masked.count(word_at(at, its)))
      change(at, its, off);
  });
}

bool host_memory_is_shared() { return course_cpu::host_memory_is_shared(); }

} // namespace course
