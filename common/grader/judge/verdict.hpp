// The judge's results: a finding for a case, a verdict for a submission. They stay values until
// `check` prints them; between judge and check, and from `check --format json`, they are JSON.
#pragma once

#include "common/grader/worker/kind.hpp"

#include <string>
#include <utility>
#include <vector>

namespace course {

// The subject of a remark, if something else depends on it.
enum class About {
  any,
  computed_nan,  // the guess: a NaN is made where it is met
  known_mistake, // the guess: what the exercise's judge knows of
  endless,       // the kernel that did not end
  uninitialised  // a fault of initcheck
};

struct Remark {
  std::string fact;       // lines, without the last one's end
  std::string often = ""; // its usual meaning; empty: there is no guess
  About about = About::any;
  bool empty() const { return fact.empty() && often.empty(); }
};
using Remarks = std::vector<Remark>; // the first one the most important

// Their printed form: a guess is a line that begins with "Often: ".
std::string text_of(const Remarks &remarks);

struct Finding {
  Kind kind = Kind::pass;
  Remarks remarks = {};      // at least one where something is wrong
  std::string expected = ""; // the number that is not what was returned; empty: something else

  Finding() = default;
  Finding(Kind its_kind, Remark remark) : kind(its_kind), remarks{std::move(remark)} {}
  Finding(Kind its_kind, std::string fact, std::string often = "")
      : Finding(its_kind, Remark{std::move(fact), std::move(often)}) {}
  bool is_wrong() const { return kind != Kind::pass; }
};

struct CaseResult {
  std::string name;   // the title of the case
  std::string state;  // "passed", "failed" or "skipped"
  double seconds = 0; // of its process; cases that share a process have equal parts
};

struct Verdict {
  std::string exercise;   // "03-add-list/axpby"
  std::string file = "";  // from the course's root
  Kind kind = Kind::pass; // of the first case that is wrong
  int passed = 0, cases = 0;
  int number = 0;         // of that case: 1, 2, ...; 0: none is wrong
  std::string title = ""; // of that case
  Remarks remarks = {};   // on that case; of what does not compile the compiler's words
  std::string rerun = ""; // the command that asks the same again, only that case
  std::string seed = "";  // COURSE_SEED gives the same numbers again; empty: none were drawn
  std::vector<std::string> also = {}; // titles of other cases that are wrong
  std::string warnings = "";          // of the compiler, about what compiles
  std::vector<CaseResult> tests = {}; // all cases
  double seconds = 0;                 // from the file to the verdict, with compiling
  int max_points = 1;

  // A right file has all points of its exercise, and a wrong one has none.
  int points() const { return kind == Kind::pass ? max_points : 0; }

  // Takes in the next case, which may also have been left out.
  void add(int its_number, const std::string &its_title, const Finding &finding,
           const std::string &its_rerun, double its_seconds = 0);
  void add_skipped(const std::string &its_title);
};

// "passed", "failed", "not-started", or "error" where grading itself failed.
std::string state_of(const Verdict &verdict);

// The verdict in words for a learner, as the course platforms show it.
std::string report(const Verdict &verdict);

std::string to_json(const Verdict &verdict); // one line

// Throws std::exception for a text that is not the JSON of a verdict.
Verdict verdict_of_json(const std::string &text);

} // namespace course
