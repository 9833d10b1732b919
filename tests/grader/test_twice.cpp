#include "common/grader/judge/judge.hpp"
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

TEST_CASE("twice, and the kernels do nothing") {
  course::Judge judge;
  const auto in = judge.numbers<int>(500, 1, 1000);
  auto expected = in;
  for (int &value : expected)
    value *= 2;
  judge.ask<decltype(twice)>("500 numbers, and the kernels do nothing")
      .with(500, in, course::output(expected))
      .without_kernels();
  judge.run();
}
