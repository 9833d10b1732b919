// Judges exercise 03-add-list/there-and-back: lists of any length.
#include "common/grader/judge/judge.hpp"
#include "exercises/03-add-list/there-and-back.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(there_and_back)>;

void ask_also(Question question, const std::vector<float> &x) {
  auto expected = x;
  for (float &value : expected)
    value = -value;
  question.with(course::in_out(x, expected), int(x.size()));
}

std::vector<float> numbers(course::Judge &judge, int n) {
  return judge.numbers<float>(n, -1000, 1000);
}

Question ask(course::Judge &judge, int n) {
  auto question = judge.ask<decltype(there_and_back)>(std::to_string(n) + " numbers");
  ask_also(question, numbers(judge, n));
  return question;
}

} // namespace

TEST_CASE("each number has the other sign") {
  course::Judge judge;
  for (int n : judge.sizes(400'000))
    ask(judge, n);
  ask_also(judge.ask<decltype(there_and_back)>("infinite, very small and other special numbers"),
           judge.sprinkled(numbers(judge, judge.number(300, 3000)),
                           {INFINITY, -INFINITY, NAN, 0.0f, 1e-30f, -1e-40f, 3e38f}));
  judge.run();
}

TEST_CASE("one list after the other; and a kernel that does nothing") {
  course::Judge judge;
  const int n = judge.number(1000, 3000);
  const Question question = ask(judge, n);
  ask_also(question, numbers(judge, 2 * n));
  auto x = numbers(judge, n);
  ask_also(question, x);
  x[judge.number(1, n - 2)] = 2000; // a single change
  ask_also(question, x);
  ask(judge, 32 * judge.number(30, 90) + 31).without_kernels();
  judge.run();
}

// A float does not hold the number of elements: blocks that are counted in float are one too few.
TEST_CASE("more blocks of 256 than 65535", "[large]") {
  course::Judge judge;
  const int n = course::above_floats;
  ask_also(judge.ask<decltype(there_and_back)>(std::to_string(n) + " numbers"),
           std::vector<float>(n, 2.0f));
  judge.run();
}
