// Words for what is wrong with an answer: the first difference, how many, a guess at the pattern
// and what it usually means.
#pragma once

#include "tests/grader/judge.hpp"

#include <string>
#include <vector>

namespace course {

// What is wrong with an answer; an empty kind: nothing.
struct Complaint {
  std::string kind;    // as in tests/README.md
  std::string message; // lines, the first one the most important
};

// Compares one array of a call with what came back. `name`: of the parameter.
Complaint compare(const Parameter &parameter, const std::string &name, const Bytes &came);

// The names of the contract's parameters, in order, as its header writes them; for those that it
// does not tell "parameter N".
std::vector<std::string> parameter_names(const std::string &header, const std::string &function,
                                         std::size_t count);

// The call as a learner would write it: "axpby(n = 257, a = 2, x = 257 numbers, ...)".
std::string describe(const Call &call, const std::string &function,
                     const std::vector<std::string> &names);

} // namespace course
