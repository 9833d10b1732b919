#include "common/grader/commands/bank.hpp"

#include "common/grader/sandbox/sandbox.hpp"
#include "common/grader/worker/kind.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace fs = std::filesystem;

namespace course {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string &text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

bool starts_with(const std::string &line, const std::string &start) {
  return line.compare(0, start.size(), start) == 0;
}

// A place in a file, for messages.
struct Place {
  const std::string &path;
  std::size_t index; // of the line, from 0
  [[noreturn]] void fail(const std::string &what) const {
    throw std::runtime_error(path + ":" + std::to_string(index + 1) + ": " + what);
  }
};

// Reads `pass` or `fail KIND[|KIND...] [on=cpu]`.
void read_expectation(const std::string &line, Place place, BankEntry &entry) {
  std::istringstream words(line);
  std::string verdict, failure, on, more;
  words >> verdict >> failure >> on >> more;
  entry.cpu_only = on == "on=cpu";
  if (verdict == "pass" && failure.empty()) {
    entry.expected = verdict;
    return;
  }
  if (verdict != "fail" || failure.empty() || !(on.empty() || entry.cpu_only) || !more.empty())
    place.fail("expected `pass` or `fail KIND[|KIND...] [on=cpu]`");
  entry.expected = failure;
  std::istringstream list(entry.expected + "|");
  for (std::string kind; std::getline(list, kind, '|');)
    if (std::find(std::begin(kind_names), std::end(kind_names), kind) == std::end(kind_names))
      place.fail("unknown kind `" + kind + "`; common/grader/README.md lists them");
}

// A change to the solution.
struct Change {
  std::size_t first = 0, count = 0; // lines of the solution
  Lines lines;                      // that replace them
};

// A block of a diff: lines that begin with ' ' (or are empty: context), '-' (old) or '+' (new).
Change read_change(const Lines &block, Place place, const Lines &solution) {
  Lines old;
  Change change;
  for (const std::string &text : block) {
    const char mark = text.empty() ? ' ' : text[0];
    const std::string line = text.empty() ? "" : text.substr(1);
    if (mark != ' ' && mark != '-' && mark != '+')
      place.fail("a line of a diff begins with ' ', '-' or '+'");
    if (mark != '+')
      old.push_back(line);
    if (mark != '-')
      change.lines.push_back(line);
  }
  if (old.empty() || old == change.lines)
    place.fail("a change needs old lines, and lines that begin with '-' or '+'");
  const auto found = std::search(solution.begin(), solution.end(), old.begin(), old.end());
  if (found == solution.end())
    place.fail("the solution does not have these lines");
  const auto again = std::search(found + 1, solution.end(), old.begin(), old.end());
  if (again != solution.end())
    place.fail("the solution has these lines more than once: give more lines of context");
  change.first = found - solution.begin();
  change.count = old.size();
  return change;
}

std::string apply(std::vector<Change> changes, Lines solution, Place place) {
  std::sort(changes.begin(), changes.end(),
            [](const Change &a, const Change &b) { return a.first > b.first; });
  std::size_t end = solution.size(); // of what no change has touched yet
  for (const Change &change : changes) {
    if (change.first + change.count > end)
      place.fail("two changes overlap in line " + std::to_string(end + 1) + " of the solution");
    end = change.first;
    const auto at = solution.begin() + change.first;
    solution.insert(solution.erase(at, at + change.count), change.lines.begin(),
                    change.lines.end());
  }
  std::string text;
  for (const std::string &line : solution)
    text += line + "\n";
  return text;
}

} // namespace

std::vector<BankEntry> read_changes(const std::string &markdown, const std::string &path,
                                    const std::string &solution_text) {
  const Lines lines = lines_of(markdown), solution = lines_of(solution_text);
  std::vector<BankEntry> entries;
  std::string drift; // all changes that do not fit: a new line in a solution concerns many
  std::size_t i = 0;
  while (i < lines.size()) {
    const Place heading{path, i};
    if (!starts_with(lines[i++], "## "))
      continue; // the page's own words
    BankEntry entry;
    entry.name = lines[heading.index].substr(3);
    while (i < lines.size() && lines[i].empty())
      ++i;
    const std::string expect = "expect: ";
    if (i == lines.size() || !starts_with(lines[i], expect))
      heading.fail("a line `expect: ...` must follow");
    read_expectation(lines[i].substr(expect.size()), {path, i}, entry);

    std::vector<Change> changes;
    bool has_reason = false;
    for (++i; i < lines.size() && !starts_with(lines[i], "# ") && !starts_with(lines[i], "## ");
         ++i) {
      if (!starts_with(lines[i], "```")) {
        has_reason = has_reason || !lines[i].empty();
        continue;
      }
      const Place fence{path, i};
      const auto first = lines.begin() + i + 1, end = std::find(first, lines.end(), "```");
      if (lines[i] != "```diff" || end == lines.end())
        fence.fail("a change must be between ```diff and ```");
      try {
        changes.push_back(read_change(Lines(first, end), fence, solution));
      } catch (const std::runtime_error &error) {
        drift += (drift.empty() ? "" : "\n") + std::string(error.what());
        changes.emplace_back();
      }
      i = end - lines.begin();
    }
    if (!has_reason || changes.empty())
      heading.fail("an entry has a sentence on why people write it, and a change");
    entry.text = apply(std::move(changes), solution, heading);
    entries.push_back(std::move(entry));
  }
  if (!drift.empty())
    throw std::runtime_error(drift);
  return entries;
}

BankEntry read_whole_file(const std::string &text, const std::string &path) {
  const Lines lines = lines_of(text);
  const std::string expect = "// expect: ";
  if (lines.empty() || !starts_with(lines[0], expect))
    Place{path, 0}.fail("the first line must be `// expect: ...`");
  BankEntry entry;
  entry.name = fs::path(path).stem().string();
  read_expectation(lines[0].substr(expect.size()), {path, 0}, entry);
  entry.text = text;
  return entry;
}

std::vector<BankEntry> read_bank(const Exercise &exercise) {
  const fs::path root = COURSE_ROOT;
  const std::string page = exercise.answers + "/answers.md", folder = exercise.answers + "/answers";
  std::vector<BankEntry> entries;
  fs::path solution = root / "solutions" / exercise.file();
  if (!fs::exists(solution))
    solution = root / folder / "honest.cu";
  if (fs::exists(root / page))
    entries = read_changes(text_of_file(root / page), page, text_of_file(solution));
  std::vector<fs::path> files;
  if (fs::exists(root / folder))
    for (const auto &file : fs::directory_iterator(root / folder))
      files.push_back(file.path().filename());
  std::sort(files.begin(), files.end());
  for (const fs::path &file : files) {
    const fs::path path = folder / file;
    entries.push_back(read_whole_file(text_of_file(root / path), path.string()));
  }
  if (entries.empty())
    throw std::runtime_error(exercise.full_name() + " has no bank: neither " + page + " nor " +
                             folder + "/*.cu");
  return entries;
}

} // namespace course
