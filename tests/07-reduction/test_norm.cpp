// Judges exercise 07-reduction/norm.
#include "exercises/07-reduction/norm.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

// Differences in float are right to 2^-24 of each, and so of their norm; everything else is double.
const double tolerance = 1e-7;

void ask_also(course::Question<decltype(norm)> &question, const std::vector<float> &a,
              const std::vector<float> &b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    squares += (double(a[i]) - b[i]) * (double(a[i]) - b[i]);
  const double expected = std::sqrt(squares);
  question.with(a, b, int(a.size())).returns(expected, tolerance * expected);
}

void ask_also(course::Judge &judge, course::Question<decltype(norm)> &question, int n) {
  ask_also(question, judge.numbers<float>(n, 1, 3), judge.numbers<float>(n, -2, 2));
}

} // namespace

TEST_CASE("the norm of a difference") {
  course::Judge judge;
  for (int n : {1000, 1, 31, 256, 257, 10'007, judge.number(400'000, 600'000)}) {
    auto question = judge.ask<decltype(norm)>("n = " + std::to_string(n));
    ask_also(judge, question, n);
  }
  judge.run();
}

TEST_CASE("called several times") {
  course::Judge judge;
  auto twice = judge.ask<decltype(norm)>("n = 3001 twice");
  ask_also(judge, twice, 3001);
  ask_also(judge, twice, 3001);
  auto growing = judge.ask<decltype(norm)>("n = 100, then 20011, then 1, then 20011");
  for (int n : {100, 20'011, 1, 20'011})
    ask_also(judge, growing, n);
  judge.run();
}

TEST_CASE("equal fields, and extreme ones") {
  course::Judge judge;
  const int n = 5003;
  const auto a = judge.numbers<float>(n);
  auto equal = judge.ask<decltype(norm)>("two equal lists");
  ask_also(equal, a, a);
  auto large = judge.ask<decltype(norm)>("differences of 1e20, whose squares fit in no float");
  ask_also(large, judge.numbers<float>(n, 1e20f, 2e20f), a);
  auto small = judge.ask<decltype(norm)>("differences of 1e-25, whose squares are 0 in float");
  ask_also(small, judge.numbers<float>(n, 1e-25f, 2e-25f), std::vector<float>(n));
  judge.run();
}
