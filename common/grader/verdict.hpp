// What the judge finds: of one case a finding, of a submission a verdict. It stays a value until
// `check` prints it; between judge and check, and from `check --json`, it is JSON.
#pragma once

#include "common/grader/kind.hpp"

#include <string>
#include <vector>

namespace course {

struct Finding {
  Kind kind = Kind::pass;
  std::string message;   // lines, the first one the most important
  bool of_judge = false; // its "Often: " is a mistake that the exercise's judge knows
  bool is_wrong() const { return kind != Kind::pass; }
};

struct Verdict {
  std::string exercise;   // "03-add-list/axpby"
  std::string file = "";  // from the course's root
  Kind kind = Kind::pass; // of the first case that is wrong
  int passed = 0, cases = 0;
  int number = 0; // of that case: 1, 2, ...; 0: none is wrong
  std::string title = "",
              message = ""; // of that case; of what does not compile the compiler's words
  std::string rerun = "";   // the command that asks the same again, only that case
  std::string seed = "";    // COURSE_SEED gives the same numbers again; empty: none were drawn
  std::vector<std::string> also = {}; // titles of other cases that are wrong
  std::string warnings = "";          // of the compiler, about what compiles

  // Takes in the next case, which may also have been left out.
  void add(int its_number, const std::string &its_title, const Finding &finding,
           const std::string &its_rerun);
  void add_skipped() { ++cases; }
};

// "passed", "failed", "not-started", or "error" where grading itself failed.
std::string state_of(const Verdict &verdict);

std::string to_json(const Verdict &verdict); // one line

// Throws std::exception for a text that is not the JSON of a verdict.
Verdict verdict_of_json(const std::string &text);

// A text that a submission or its compiler may have written: no byte of it moves the cursor,
// changes a colour or the direction of writing, or is no UTF-8; these become \x1B and the like.
std::string escaped(const std::string &text);

// The lines of a text, two blanks before each, and a line's end after each.
std::string indented(const std::string &text);

} // namespace course
