// A bank: answers to an exercise whose verdicts are known. An answer is a change to the solution
// (tests/NN-slug/NAME/answers.md) or, where it shares little with it, a file of its own
// (tests/NN-slug/NAME/answers/*.cu). common/grader/README.md has the format of both. The solution
// of an exercise of the grader's own is answers/honest.cu.
#pragma once

#include "common/grader/commands/registry.hpp"

#include <string>
#include <vector>

namespace course {

struct BankEntry {
  std::string name;
  std::string expected;  // "pass", or the kinds of failure, separated by '|'
  bool cpu_only = false; // a GPU may let it pass: a race that is right by luck
  std::string text;      // the complete submission
};

// The entries of a Markdown file, whose changes are made to `solution`. `path` names the file in
// messages. Throws std::runtime_error with file and line when the file is malformed, and when the
// old text of a change is not in the solution or is there more than once.
std::vector<BankEntry> read_changes(const std::string &markdown, const std::string &path,
                                    const std::string &solution);

// The entry that a .cu file is, with the path that names it in messages.
BankEntry read_whole_file(const std::string &text, const std::string &path);

// The bank of an exercise: changes, then files.
std::vector<BankEntry> read_bank(const Exercise &exercise);

} // namespace course
