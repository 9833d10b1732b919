// The holes of an exercise: from a line `// TODO 1: what to find` to a line `// TODO end`. A Python
// file has `#` instead of `//`.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace course {

struct Source {
  std::vector<std::vector<std::string>> holes; // the lines between the two marks
  std::vector<int> first_lines;                // their numbers, of each hole's first line
  std::vector<std::string> outside;            // all other lines, the marks included
};

// The marks of a file do not match; the message names file and line.
struct BrokenMarks : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws BrokenMarks, whose message names `path`.
Source source_of(const std::string &text, const std::string &path);

// The same of a file. Throws std::runtime_error, too, where it cannot be read.
Source read_source(const std::string &path);

// A hash of lines that ignores spaces and empty lines.
std::uint64_t hash(const std::vector<std::string> &lines);

// True if all holes of the file are as the list `starters` (tests/starters.txt) has them for the
// exercise `name` ("03-add-list/axpby"); false if the list does not have it. Marks serve this
// question only: a file whose marks are broken is begun, and graded like any other.
bool untouched(const std::string &path, const std::string &name, const std::string &starters);

// True if two files are the same outside their holes, spaces apart. Throws as read_source does.
bool same_outside(const std::string &path, const std::string &other);

} // namespace course
