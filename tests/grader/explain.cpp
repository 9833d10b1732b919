#include "tests/grader/explain.hpp"

#include "common/fault_report.hpp"
#include "tests/grader/environment.hpp"
#include "tests/grader/exchange.hpp"
#include "tests/grader/note.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace course {
namespace {

// One array: what was sent, expected and came, element by element.
struct View {
  const Parameter &array;
  const Bytes &came;

  const void *at(const Bytes &bytes, std::size_t i) const {
    return bytes.data() + i * array.element.bytes;
  }
  bool right(std::size_t i) const {
    return array.element.same(at(array.expected, i), at(came, i), array.tolerance);
  }
  bool untouched(std::size_t i) const {
    return std::memcmp(at(array.before, i), at(came, i), array.element.bytes) == 0;
  }
  // Element i holds what belongs at j.
  bool holds(std::size_t i, std::size_t j) const {
    return array.element.same(at(array.expected, j), at(came, i), array.tolerance);
  }
  bool zero(std::size_t i) const { return array.element.number(at(came, i)) == 0; }
};

template <class Predicate>
bool all_of(const std::vector<std::size_t> &places, Predicate predicate) {
  return std::all_of(places.begin(), places.end(), predicate);
}

// What the wrong places have in common, and what that usually means; empty when nothing is seen.
std::string pattern(const View &view, const std::vector<std::size_t> &wrong) {
  const std::size_t count = view.array.count, columns = view.array.columns;
  const bool everywhere = wrong.size() == count;
  const bool untouched = all_of(wrong, [&](std::size_t i) { return view.untouched(i); });
  if (everywhere && untouched)
    return "Nothing was written.\nOften: the kernel did not run (is its launch checked?), or its "
           "result was not copied back.";
  if (everywhere && all_of(wrong, [&](std::size_t i) { return view.zero(i); }))
    return "All are 0.\nOften: the result was copied back from the wrong array, or never "
           "computed.";
  if (wrong.size() > 1 &&
      all_of(wrong, [&](std::size_t i) { return i > 0 && view.holds(i, i - 1); }))
    return "The values are shifted by one, to the right.\nOften: an index that is 1 too large.";
  if (wrong.size() > 1 &&
      all_of(wrong, [&](std::size_t i) { return i + 1 == count || view.holds(i, i + 1); }))
    return "The values are shifted by one, to the left.\nOften: an index that is 1 too small.";
  const bool tail =
      wrong.front() > 0 && wrong.back() == count - 1 && wrong.size() == count - wrong.front();
  if (tail && count - wrong.front() == 1)
    return "Only the last one is wrong.\nOften: < n - 1 for < n, or a grid of n / block for "
           "(n + block - 1) / block.";
  if (tail) {
    std::string text = "All up to " + std::to_string(wrong.front()) +
                       " are right, all from there " +
                       (untouched ? "were not written." : "are wrong.");
    if (wrong.front() == (count + view.array.element.bytes - 1) / view.array.element.bytes ||
        wrong.front() == count / view.array.element.bytes)
      return text + "\nOften: bytes against elements: n copied where n * sizeof is meant.";
    return text + "\nOften: too few threads: a grid of n / block for (n + block - 1) / block, only "
                  "one block, or an `if` where a loop is meant.";
  }
  const std::size_t rows = columns ? count / columns : 0;
  if (columns > 1 && rows > 1) {
    auto transposed = [&](std::size_t i) {
      std::size_t j = (i % rows) * columns + i / rows;
      return j < count && view.holds(i, j);
    };
    if (all_of(wrong, transposed))
      return "The picture is transposed.\nOften: row and column (x and y) are swapped.";
    if (untouched && all_of(wrong, [&](std::size_t i) { return i % columns >= rows; }))
      return "Columns from " + std::to_string(rows) +
             " on were not written.\nOften: width and "
             "height are swapped in the guard or the grid.";
  }
  if (untouched)
    return "The wrong ones were not written.\nOften: two threads share an index and others are "
           "left out.";
  return "";
}

} // namespace

Finding compare(const Parameter &parameter, const std::string &name, const Bytes &came) {
  View view{parameter, came};
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < parameter.count; ++i)
    if (!view.right(i))
      wrong.push_back(i);
  if (wrong.empty())
    return {};
  auto place = [&](std::size_t i) {
    if (parameter.columns)
      return name + "[row " + std::to_string(i / parameter.columns) + ", column " +
             std::to_string(i % parameter.columns) + "]";
    return name + "[" + std::to_string(i) + "]";
  };
  std::string message;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, wrong.size()); ++k) {
    std::size_t i = wrong[k];
    const Element &element = parameter.element;
    message += std::string(k ? "\n" : "") + place(i) + ": expected " +
               element.text(view.at(parameter.expected, i)) + "      got " +
               element.text(view.at(came, i));
    if (!parameter.constant && view.untouched(i))
      message += " (not written)";
  }
  if (parameter.constant)
    return {Kind::input, message + "\n" + name + " is const: it must stay as it was."};
  message += "\nWrong: " + std::to_string(wrong.size()) + " of " + std::to_string(parameter.count) +
             " values.";
  if (const std::string seen = pattern(view, wrong); !seen.empty())
    message += " " + seen;
  return {Kind::value, message};
}

std::vector<std::string> parameter_names(const std::string &header, const std::string &function,
                                         std::size_t count) {
  std::ifstream file(header);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  text = std::regex_replace(text, std::regex("//[^\n]*"), "");
  std::vector<std::string> names;
  std::smatch match;
  if (std::regex_search(text, match, std::regex("\\b" + function + "\\s*\\(([^)]*)\\)"))) {
    std::string list = match[1];
    std::regex last_word("(\\w+)\\s*(,|$)");
    for (std::sregex_iterator it(list.begin(), list.end(), last_word), end; it != end; ++it)
      names.push_back((*it)[1]);
  }
  for (std::size_t i = names.size(); i < count; ++i)
    names.push_back("parameter " + std::to_string(i + 1));
  return names;
}

std::string describe(const Call &call, const std::string &function,
                     const std::vector<std::string> &names) {
  std::string text = function + "(";
  for (std::size_t i = 0; i < call.parameters.size(); ++i) {
    const Parameter &parameter = call.parameters[i];
    text += (i ? ", " : "") + names[i] + " = " +
            (parameter.pointer ? std::to_string(parameter.count) + " values"
                               : parameter.element.text(parameter.before.data()));
  }
  return text + ")";
}

// Without the paragraphs between two rules in which mpirun says that a rank has failed.
std::string tail(const std::string &output) {
  std::vector<std::string> lines;
  std::istringstream stream(output);
  bool paragraph = false;
  for (std::string line; std::getline(stream, line);) {
    const bool rule = line.size() > 70 && line.find_first_not_of('-') == std::string::npos;
    if (rule)
      paragraph = !paragraph;
    else if (!paragraph)
      lines.push_back(line);
  }
  if (lines.empty())
    return "";
  std::string text = "\nIt printed:";
  for (std::size_t i = lines.size() > 6 ? lines.size() - 6 : 0; i < lines.size(); ++i)
    text += "\n  | " + lines[i];
  return text;
}

namespace {

// Where the ranks were when they were stopped, as they noted it.
std::string where(const std::string &folder, int ranks) {
  std::string text;
  for (int rank = 0; rank < ranks; ++rank) {
    const Bytes bytes = content_of(folder + "/waits." + std::to_string(rank));
    std::string call;
    if (bytes.size() == sizeof(Note))
      for (std::size_t i = 0; i < sizeof Note::call; ++i) {
        const char c = char(bytes[offsetof(Note, call) + i]);
        if (c == 0)
          break;
        call += c < 32 || c > 126 ? '?' : c;
      }
    text += "\n  rank " + std::to_string(rank) + ": " +
            (call.empty() ? "computes, or is in another call" : call);
  }
  return text;
}

} // namespace

Finding explain_faults(const Outcome &outcome) {
  if (tool().empty() || outcome.end != End::finished || outcome.code != exit_with_faults)
    return {};
  const FaultReport report = read_fault_report(outcome.output);
  std::string message;
  const auto say = [&](const std::string &line) {
    message += (message.empty() ? "" : "\n") + line;
  };
  if (!report.faults.empty()) {
    const Fault &first = report.faults.front();
    say(first.tool + ": " + first.what);
    for (const std::string &line : first.details)
      say("  " + line);
  }
  if (report.places.size() > 1) {
    say(count_of(report.places));
    for (const FaultPlace &place : report.places)
      say("  " + text_of(place));
  }
  return {Kind::fault, message};
}

Finding explain_end(const Outcome &outcome, const Limits &limit, const std::string &folder,
                    int ranks) {
  std::ostringstream text;
  switch (outcome.end) {
  case End::time:
    text << "ran " << limit.seconds << " s, stopped (limit " << limit.seconds << " s)";
    if (ranks)
      text << "\nWhere each rank was then:" << where(folder, ranks);
    text << "\nOften: a loop that does not end, or a barrier that not all threads reach."
         << (tool().empty() ? " With --tool synccheck the message may name it." : "");
    return {Kind::timeout, text.str() + tail(outcome.output)};
  case End::memory:
    text << "took more than " << (limit.memory >> 20) << " MiB of memory, stopped (limit "
         << (limit.memory >> 20) << " MiB)\nOften: an allocation inside a loop, or a size in "
         << "elements taken for bytes twice.";
    return {Kind::memory, text.str()};
  case End::processes:
    text << "started more than " << limit.processes << " processes, stopped (limit "
         << limit.processes << ")";
    return {Kind::processes, text.str()};
  case End::output:
    text << "printed more than " << (limit.output >> 20) << " MiB, stopped (limit "
         << (limit.output >> 20) << " MiB)\nOften: a printf in a loop or in every thread.";
    return {Kind::output, text.str() + tail(outcome.output)};
  case End::lost:
    return {Kind::forgery, "the process that watches your program was killed"};
  case End::signalled:
    text << "crashed: " << strsignal(outcome.code)
         << "\nOften: a device pointer used on the host, a host pointer in a kernel, or an index "
            "outside its array.";
    return {Kind::crash, text.str() + tail(outcome.output)};
  case End::finished:
  case End::not_started: // nobody asks: these are faults of the machine
  case End::interrupted:
    break;
  }
  if (ranks && outcome.code == EDEADLK) // as ranks.hpp ends them
    return {Kind::deadlock, "the ranks wait for each other:" + where(folder, ranks) +
                                "\nOften: each rank sends first, and a send can wait for its "
                                "receive; a call that not all ranks make; tags that differ."};
  const bool still_ending = ranks && outcome.code; // mpirun does not wait for ranks that it ends
  if (outcome.left_behind && !still_ending)
    return {Kind::processes, "left processes running when it ended"};
  return {};
}

} // namespace course
