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
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.back() == '\r') // git may have written CRLF
      line.pop_back();
    lines.push_back(line);
  }
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
  std::vector<Place> places; // of the old lines
  Change change;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Place here{place.path, place.index + i};
    const char mark = block[i].empty() ? ' ' : block[i][0];
    const std::string line = block[i].empty() ? "" : block[i].substr(1);
    if (mark != ' ' && mark != '-' && mark != '+')
      here.fail("a line of a diff begins with ' ', '-' or '+'");
    if (mark != '+') {
      old.push_back(line);
      places.push_back(here);
    }
    if (mark != '-')
      change.lines.push_back(line);
  }
  if (old.empty() || old == change.lines)
    place.fail("a change needs old lines, and lines that begin with '-' or '+'");
  const auto found = std::search(solution.begin(), solution.end(), old.begin(), old.end());
  if (found == solution.end()) {
    std::size_t same = 0; // lines from the first, at the place where most are
    for (auto at = solution.begin(); at != solution.end(); ++at)
      same = std::max<std::size_t>(
          same, std::mismatch(old.begin(), old.end(), at, solution.end()).first - old.begin());
    places[same].fail("the solution has no such line" +
                      std::string(same > 0 ? " after the one above" : "") + ": " + old[same]);
  }
  const auto again = std::search(found + 1, solution.end(), old.begin(), old.end());
  if (again != solution.end())
    place.fail("the old text is in the solution more than once, in lines " +
               std::to_string(found - solution.begin() + 1) + " and " +
               std::to_string(again - solution.begin() + 1) + ": give more lines of context");
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
  std::string group;
  std::size_t i = 0;
  while (i < lines.size()) {
    const Place heading{path, i};
    if (starts_with(lines[i], "# "))
      group = lines[i].substr(2);
    if (!starts_with(lines[i++], "## "))
      continue; // the page's own words
    BankEntry entry;
    entry.heading = group;
    entry.name = lines[heading.index].substr(3);
    if (entry.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos)
      heading.fail("an entry's name has small letters, digits and '-'");
    if (std::any_of(entries.begin(), entries.end(),
                    [&](const BankEntry &other) { return other.name == entry.name; }))
      heading.fail("there are two entries " + entry.name);
    while (i < lines.size() && lines[i].empty())
      ++i;
    const std::string expect = "expect: ";
    if (i == lines.size() || !starts_with(lines[i], expect))
      heading.fail("a line `expect: ...` must follow");
    read_expectation(lines[i].substr(expect.size()), {path, i}, entry);

    std::vector<Change> changes;
    for (++i; i < lines.size() && !starts_with(lines[i], "# ") && !starts_with(lines[i], "## ");
         ++i) {
      if (!starts_with(lines[i], "```")) {
        if (!lines[i].empty())
          entry.why += (entry.why.empty() ? "" : " ") + lines[i];
        continue;
      }
      const Place fence{path, i}, block{path, i + 1};
      if (lines[i] != "```diff")
        fence.fail("a change must be between ```diff and ```");
      const auto first = lines.begin() + i + 1, end = std::find(first, lines.end(), "```");
      if (end == lines.end())
        fence.fail("this change has no closing ```");
      try {
        changes.push_back(read_change(Lines(first, end), block, solution));
      } catch (const std::runtime_error &error) {
        drift += (drift.empty() ? "" : "\n") + std::string(error.what());
        changes.emplace_back();
      }
      i = end - lines.begin();
    }
    if (entry.why.empty() || changes.empty())
      heading.fail("an entry has a sentence on why people write it, and a change");
    entry.text = apply(std::move(changes), solution, heading);
    entries.push_back(std::move(entry));
  }
  if (!drift.empty())
    throw std::runtime_error(drift);
  if (entries.empty())
    throw std::runtime_error(path + " has no entry");
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
  for (std::size_t i = 1; i < lines.size() && starts_with(lines[i], "// "); ++i)
    entry.why += (i > 1 ? " " : "") + lines[i].substr(3);
  entry.text = text;
  return entry;
}

std::vector<BankEntry> read_bank(const Exercise &exercise) {
  const fs::path root = COURSE_ROOT;
  const std::string page = exercise.answers + "/answers.md", folder = exercise.answers + "/answers";
  std::vector<BankEntry> entries;
  if (fs::exists(root / page))
    entries = read_changes(text_of_file(root / page), page,
                           text_of_file(root / "solutions" / exercise.file()));
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
