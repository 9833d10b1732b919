// The holes of an exercise: from a line `// TODO 1: what to find` to a line `// TODO end`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace course {

struct Source {
  std::vector<std::vector<std::string>> holes; // the lines between the two marks
  std::vector<std::string> outside;            // all other lines, the marks included
};

// Reads a file. Throws std::runtime_error with file and line when marks do not match.
Source read_source(const std::string &path);

// A hash of a hole that ignores spaces and empty lines.
std::uint64_t hash(const std::vector<std::string> &hole);

// Whether all holes of the file are as the list `starters` (tests/starters.txt) has them for the
// exercise `name` ("03-add-list/axpby"); false when the list does not have it.
bool untouched(const std::string &path, const std::string &name, const std::string &starters);

// What a test of an untouched exercise returns when the learner has begun it: 77 (skipped), but 1
// in CI, where nobody has.
int begun_exit_code();

} // namespace course
