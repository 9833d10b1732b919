#include "common/grader/commands/holes.hpp"

#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace course {
namespace {

std::string without_spaces(const std::string &line) {
  std::string text;
  for (char c : line)
    if (!std::isspace(static_cast<unsigned char>(c)))
      text += c;
  return text;
}

} // namespace

Source source_of(const std::string &text, const std::string &path) {
  std::istringstream lines(text);
  Source source;
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string bare = without_spaces(line);
    const std::string mark =
        bare.rfind("#", 0) == 0 ? "#" : "//"; // of a comment: Python's or C++'s
    const bool end = bare == mark + "TODOend";
    const std::size_t digits = bare.rfind(mark + "TODO", 0) == 0 ? mark.size() + 4 : bare.size();
    const std::size_t colon = bare.find_first_not_of("0123456789", digits);
    const bool begin = colon != std::string::npos && colon > digits && bare[colon] == ':';
    if (begin ? inside : end && !inside)
      throw BrokenMarks(path + ":" + std::to_string(number) +
                        ": a blank goes from `TODO 1: what` to `TODO end`");
    if (begin) {
      source.holes.emplace_back();
      source.first_lines.push_back(number + 1);
    }
    if (inside && !end)
      source.holes.back().push_back(line);
    else
      source.outside.push_back(line);
    inside = begin || (inside && !end);
  }
  if (inside)
    throw BrokenMarks(path + ": the last blank has no `TODO end`");
  return source;
}

Source read_source(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return source_of(text.str(), path);
}

std::uint64_t hash(const std::vector<std::string> &lines) {
  std::uint64_t value = 0xcbf29ce484222325; // FNV-1a
  for (const std::string &line : lines)
    for (unsigned char c : without_spaces(line))
      value = (value ^ c) * 0x100000001b3;
  return value;
}

bool untouched(const std::string &path, const std::string &name, const std::string &starters) {
  std::vector<std::uint64_t> wanted, found;
  std::ifstream list(starters);
  for (std::string line; std::getline(list, line);) {
    std::istringstream words(line);
    std::string its_name;
    std::uint64_t value;
    if (words >> its_name >> std::hex >> value && its_name == name)
      wanted.push_back(value);
  }
  try {
    for (const auto &hole : read_source(path).holes)
      found.push_back(hash(hole));
  } catch (const BrokenMarks &) {
    return false; // somebody edited it
  }
  return !wanted.empty() && wanted == found;
}

bool same_outside(const std::string &path, const std::string &other) {
  return hash(read_source(path).outside) == hash(read_source(other).outside);
}

} // namespace course
