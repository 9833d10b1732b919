#include "tests/grader/judge.hpp"
#include "tests/grader/twice.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("twice") {
  course::Judge judge;
  for (int n : {1, 257, 300'007}) {
    auto in = judge.numbers<int>(n, 1, 1000);
    auto expected = in;
    for (int &value : expected)
      value *= 2;
    judge.ask<decltype(twice)>(std::to_string(n) + " numbers")
        .with(n, in, course::output(expected))
        .returns(n);
  }
  judge.run();
}
