// Judges exercise 02-thread-indexing/countdown: lists of any length, blocks of any size.
#include "common/grader/judge/judge.hpp"
#include "exercises/02-thread-indexing/countdown.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(countdown)>;

void ask_also(Question question, int n, int block) {
  std::vector<int> list, without_rest;
  for (int i = 0; i < n; ++i) {
    list.push_back(n - i);
    without_rest.push_back(i < n / block * block ? n - i : 0);
  }
  question.with(course::output(list).often(without_rest,
                                           "a grid of n / block blocks: integer division "
                                           "rounds down, and the last elements get no thread"),
                n, block);
}

Question ask(course::Judge &judge, int n, int block) {
  auto question = judge.ask<decltype(countdown)>(std::to_string(n) + " elements, blocks of " +
                                                 std::to_string(block) + " threads");
  question.launches_blocks_of(block);
  ask_also(question, n, block);
  return question;
}

} // namespace

TEST_CASE("the list counts down to 1") {
  course::Judge judge;
  ask(judge, 10, 4);
  for (int n : judge.sizes(400'000))
    ask(judge, n, judge.number(2, 1023));
  const int block = judge.number(33, 500);
  ask(judge, judge.number(2, 9) * block, block);     // whole blocks
  ask(judge, judge.number(2, 9) * block + 1, block); // and one element more
  ask(judge, judge.number(2000, 3000), 1024);
  ask(judge, judge.number(140'000, 200'000), 1); // more blocks than a grid may have in y
  judge.run();
}

TEST_CASE("one list after the other; and a kernel that does nothing") {
  course::Judge judge;
  const int n = judge.number(1000, 3000);
  Question question = ask(judge, n, 64);
  ask_also(question, 2 * n, 64); // one change at a time
  ask_also(question, 2 * n, 64); // nothing does: the list is to be written again
  ask_also(question, 2 * n, 96);
  ask_also(question, n, 64);
  ask(judge, 32 * judge.number(30, 90) + 31, 64).without_kernels();
  judge.run();
}

// A float does not hold the number of elements.
TEST_CASE("more blocks of 256 than 65535, and more of 1 than 2^24", "[large]") {
  course::Judge judge;
  ask(judge, course::above_floats, 256);
  ask(judge, course::above_floats, 1);
  judge.run();
}
