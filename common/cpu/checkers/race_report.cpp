// Races between threads of one kernel in words: what one missing barrier lets race is one report,
// told when the kernel has ended.
#include "access.h"
#include "clock.h"
#include "report.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace course_cpu {
namespace tools {

namespace {

struct Line {
  std::string file;
  int number = 0;

  explicit Line(const std::string &text) {
    const std::size_t colon = text.rfind(':');
    file = text.substr(0, colon);
    number = colon == text.npos ? 0 : std::atoi(text.c_str() + colon + 1);
  }
};

// Two places of the code that race.
struct Pair {
  std::string where;         // "file:line, file:line"
  Line first, second;        // in the order of the file
  std::string array, kernel; // with the same ones they may be of one report
  std::uintptr_t base;       // of the array, unless it is shared
  bool in_block;
  bool in_warp; // in all that was met
  bool two_writes;
  std::vector<std::string> details;
  std::size_t met, place; // place: of the report; no_place before it is told

  int distance() const { return second.number - first.number; }
  // True if one missing barrier may explain both: their lines overlap.
  bool joins(const Pair &other) const {
    return array == other.array && base == other.base && kernel == other.kernel &&
           in_block == other.in_block && first.file == second.file &&
           first.file == other.first.file && first.file == other.second.file &&
           first.number <= other.second.number && other.first.number <= second.number;
  }
};
constexpr std::size_t no_place = ~std::size_t{0};

struct Races {
  std::recursive_mutex mutex;
  std::vector<Pair> pairs;
  std::map<std::pair<Code, Code>, std::size_t> by_code;
  bool is_told = true; // all of them
};

Races &races() {
  static auto &all = *new Races;
  return all;
}

// The pairs that form one report with the first of `left`, taken out of it.
std::vector<Pair *> take_group(std::vector<Pair *> &left) {
  std::vector<Pair *> group{left.front()};
  left.erase(left.begin());
  for (std::size_t i = 0; i < group.size(); ++i)
    for (auto next = left.begin(); next != left.end();)
      if (group[i]->joins(**next)) {
        group.push_back(*next);
        next = left.erase(next);
      } else {
        ++next;
      }
  return group;
}

// The nearest pair stands for them all.
void tell_group(std::vector<Pair *> group) {
  std::sort(group.begin(), group.end(), [](const Pair *a, const Pair *b) {
    return std::make_pair(a->distance(), a->first.number) <
           std::make_pair(b->distance(), b->first.number);
  });
  const auto told = std::find_if(group.begin(), group.end(),
                                 [](const Pair *pair) { return pair->place != no_place; });
  const bool is_new = told == group.end();
  const std::size_t place =
      is_new ? place_number(Tool::racecheck, "race", group.front()->where) : (*told)->place;
  bool in_warp = true;
  std::set<std::string> places;
  int first = group.front()->first.number, last = group.front()->second.number;
  for (Pair *pair : group) {
    if (pair->place == no_place)
      add_met(place, pair->met);
    pair->place = place;
    in_warp = in_warp && pair->in_warp;
    places.insert(pair->where);
    first = std::min(first, pair->first.number);
    last = std::max(last, pair->second.number);
  }
  if (!is_new)
    return;
  const Pair &nearest = *group.front();
  std::vector<std::string> details = nearest.details;
  const bool one_line = std::any_of(group.begin(), group.end(), [&](const Pair *pair) {
    return pair->two_writes && pair->distance() == 0 && nearest.distance() == 0 &&
           pair->first.number == nearest.first.number;
  });
  const bool in_place =
      nearest.base && nearest.distance() == 0 &&
      std::none_of(group.begin(), group.end(), [](const Pair *pair) { return pair->two_writes; });
  if (one_line)
    details.back() = // a barrier would not help
        "Several threads write the same element here: give each thread an index of its own, let "
        "only one thread write, or use an atomic operation.";
  else if (in_place)
    details.back() =
        "This line reads an element that another thread writes. To read the old value, write to a "
        "second array. To read the new value, put a barrier between the write and the read, or use "
        "a second kernel.";
  else if (nearest.in_block)
    details.back() = race_advice(in_warp);
  if (const std::size_t more = places.size() - 1; more > 0)
    details.push_back("The same array has races between " + std::to_string(more) + " more pair" +
                      (more == 1 ? "" : "s") + " of lines, from " + std::to_string(first) + " to " +
                      std::to_string(last) + ".");
  tell("race on " + nearest.array + nearest.details.front(), {details.begin() + 1, details.end()});
}

} // namespace

void note_race(const Access &first, bool first_writes, const Access &second, bool second_writes,
               std::uintptr_t address, bool in_block, const std::string &advice) {
  Races &all = races();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  const bool in_warp = in_block && first.thread / 32 == second.thread / 32;
  const std::pair<Code, Code> codes = std::minmax({place_of(first), place_of(second)});
  const auto known = all.by_code.try_emplace(codes, all.pairs.size());
  if (!known.second) {
    Pair &pair = all.pairs[known.first->second];
    pair.in_warp = pair.in_warp && in_warp;
    if (pair.place == no_place)
      ++pair.met;
    else
      add_met(pair.place, 1);
    return;
  }
  Line a(line_of(codes.first)), b(line_of(codes.second));
  if (std::make_pair(b.file, b.number) < std::make_pair(a.file, a.number))
    std::swap(a, b);
  // The array is what its description says before the place within it.
  const std::string memory = describe_memory(address);
  const std::size_t place = memory.rfind(", ");
  const Allocation *allocation = address - range < range_bytes ? nearest(address) : nullptr;
  all.pairs.push_back({lines_text(line_of(codes.first), line_of(codes.second)),
                       a,
                       b,
                       memory.substr(0, place),
                       launch_text(current_operation()),
                       allocation && !allocation->shared ? allocation->begin : 0,
                       in_block,
                       in_warp,
                       first_writes && second_writes,
                       {place == memory.npos ? "" : memory.substr(place),
                        describe(second, second_writes), describe(first, first_writes), advice},
                       1,
                       no_place});
  all.is_told = false;
}

void tell_races() {
  Races &all = races();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  if (all.is_told)
    return;
  all.is_told = true;
  std::vector<Pair *> left;
  for (Pair &pair : all.pairs)
    left.push_back(&pair);
  while (!left.empty())
    tell_group(take_group(left));
}

bool races_at(Code place) {
  Races &all = races();
  std::lock_guard<std::recursive_mutex> lock(all.mutex);
  return std::any_of(all.by_code.begin(), all.by_code.end(), [place](const auto &entry) {
    return entry.first.first == place || entry.first.second == place;
  });
}

} // namespace tools
} // namespace course_cpu
