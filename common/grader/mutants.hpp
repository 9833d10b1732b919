// Mutants of a solution: each has one small change inside the solution's holes, such as people make
// by mistake. A judge that lets one pass misses that mistake, unless the mutant is right, too.
#pragma once

#include <string>
#include <vector>

namespace course {

struct Mutant {
  int line;         // of the change
  std::string diff; // the changed lines: old ones after a '-', new ones after a '+'
  std::string text; // the complete file
};

// In the order of their places; no two have the same text. Throws std::runtime_error where the
// marks of holes do not match.
std::vector<Mutant> mutants_of(const std::string &solution);

} // namespace course
