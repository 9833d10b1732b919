// Judges exercise 03-add-list/late-blame as a whole program: the step that went wrong gets the
// blame, and only an error that is sticky ends the program.
#include "common/grader/judge/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

std::string number(int step) { return std::to_string(step); }
std::string failed(int step) { return "step " + number(step) + " failed"; }
// With the reason; a GPU may give another one, in which `always` is a word.
std::string failed(int step, const std::string &reason, const std::string &always) {
  return failed(step) + ": " + (COURSE_CUDA ? always : reason);
}
std::string done(int step) { return "step " + number(step) + " done"; }

const char still_works[] = "the device still works", lost[] = "no call can succeed any more";

void ask_for_fault(course::Judge &judge, const std::string &fault, const std::string &reason,
                   int step) {
  auto program = judge.program("a fault in the kernel of step " + number(step) + ": " + fault)
                     .arguments({fault, number(step)})
                     .kernel_faults()
                     .prints(failed(step, reason, ""))
                     .prints(lost)
                     .prints_not(still_works)
                     .prints_not(done(step));
  for (int before = 1; before < step; ++before)
    program.prints(done(before)).prints_not(failed(before));
  for (int after = step + 1; after <= 3; ++after)
    program.prints_not(done(after)).prints_not(failed(after));
}

void ask_for_refusal(course::Judge &judge, int step) {
  auto program = judge.program("the launch of step " + number(step) + " is refused")
                     .arguments({"refused", number(step)})
                     .prints(failed(step, "invalid configuration argument", "invalid"))
                     .prints(still_works)
                     .prints_not(lost)
                     .prints("PASS");
  for (int other = 1; other <= 3; ++other)
    if (other != step)
      program.prints_not(failed(other));
}

} // namespace

TEST_CASE("nothing goes wrong") {
  course::Judge judge;
  judge.program("three steps").prints(done(3)).prints("PASS").prints_not("failed");
  judge.run();
}

TEST_CASE("a launch is refused") {
  course::Judge judge;
  for (int step = 1; step <= 3; ++step)
    ask_for_refusal(judge, step);
  judge.run();
}

TEST_CASE("a fault inside a kernel") {
  course::Judge judge;
  for (int step = 1; step <= 3; ++step)
    ask_for_fault(judge, "null", "an illegal memory access", step);
  ask_for_fault(judge, "trap", "unspecified launch failure", judge.number(1, 3));
  judge.run();
}
