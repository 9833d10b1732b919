// Judges exercise 03-add-list/axpby. The factors differ in sign, so exchanged ones show.
#include "exercises/03-add-list/axpby.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

// The terms are at most 2 each, so their sum is right to 3 roundings of at most 4 * 2^-24 each.
const double tolerance = 1e-6;

void ask_also(course::Judge &judge, course::Question<decltype(axpby)> &question, int n) {
  const auto x = judge.numbers<float>(n), y = judge.numbers<float>(n);
  const float a = judge.number(1.0f, 2.0f), b = judge.number(-2.0f, -1.0f);
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i)
    expected[i] = a * x[i] + b * y[i];
  question.with(n, a, x, b, course::in_out(y, expected, tolerance));
}

} // namespace

TEST_CASE("y becomes a x + b y") {
  course::Judge judge;
  for (int n : {1000, 257, 256, 255, 3, 1, 1025, 10'007, judge.number(20'000, 300'000)}) {
    auto question = judge.ask<decltype(axpby)>("n = " + std::to_string(n));
    ask_also(judge, question, n);
  }
  judge.run();
}

TEST_CASE("y becomes a x + b y, called twice") {
  course::Judge judge;
  auto growing = judge.ask<decltype(axpby)>("n = 1001, then n = 5003");
  ask_also(judge, growing, 1001);
  ask_also(judge, growing, 5003);
  auto shrinking = judge.ask<decltype(axpby)>("n = 5003, then n = 1001");
  ask_also(judge, shrinking, 5003);
  ask_also(judge, shrinking, 1001);
  judge.run();
}
