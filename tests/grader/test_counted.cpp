// The judge of answers that hide loads from the counting.
#include "common/grader/judge/judge.hpp"
#include "tests/grader/counted.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("twice, with one load for each number") {
  course::Judge judge;
  const int n = 257;
  const auto in = judge.numbers<int>(n, 1, 1000);
  auto expected = in;
  for (int &value : expected)
    value *= 2;
  judge.ask<decltype(twice)>("257 numbers")
      .with(n, in, course::output(expected))
      .at_most(&course::Work::global_loads, n, "a number is read more than once.");
  judge.run();
}
