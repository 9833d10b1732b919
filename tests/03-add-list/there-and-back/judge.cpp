// Judges exercise 03-add-list/there-and-back: lists of any length.
#include "exercises/03-add-list/there-and-back.hpp"
#include "common/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(there_and_back)>;

void ask_also(course::Judge &judge, Question question, int n) {
  const auto x = judge.numbers<float>(n, -1000, 1000);
  auto expected = x;
  for (float &value : expected)
    value = -value;
  question.with(course::in_out(x, expected), n);
}

Question ask(course::Judge &judge, int n) {
  auto question = judge.ask<decltype(there_and_back)>(std::to_string(n) + " numbers");
  ask_also(judge, question, n);
  return question;
}

} // namespace

TEST_CASE("each number has the other sign") {
  course::Judge judge;
  for (int n : judge.sizes(300'000))
    ask(judge, n);
  judge.run();
}

TEST_CASE("one list after the other; and a kernel that does nothing") {
  course::Judge judge;
  const int n = judge.number(1000, 3000);
  const Question question = ask(judge, n);
  ask_also(judge, question, 2 * n);
  ask_also(judge, question, n);
  ask(judge, n).without_kernels();
  judge.run();
}
