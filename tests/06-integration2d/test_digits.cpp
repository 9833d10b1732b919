// Judges exercise 06-integration2d/digits: sums in which plain float addition keeps few digits.
#include "exercises/06-integration2d/digits.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

void ask(course::Judge &judge, const std::string &what, const std::vector<float> &power,
         int threads) {
  const float h = judge.number(0.001f, 0.002f);
  double sum = 0, size = 0;
  for (float value : power) {
    sum += value;
    size += std::fabs(value);
  }
  const int n = int(power.size());
  judge
      .ask<decltype(digits)>(what + ", " + std::to_string(n) + " samples, " +
                             std::to_string(threads) + " threads")
      .with(n, h, power, threads)
      .returns(h * sum, 1e-6 * h * size);
}

} // namespace

// Nearly the same value again and again: every addition rounds to the same side.
TEST_CASE("a heater") {
  course::Judge judge;
  const float watts = judge.number(1000.0f, 1020.0f);
  for (int n : {100'003, 1000, 1})
    ask(judge, "a heater", judge.numbers<float>(n, watts, watts + 0.01f), 1);
  const auto power = judge.numbers<float>(100'003, watts, watts + 0.01f);
  for (int threads : {7, 1000, 50'001, 100'003})
    ask(judge, "a heater", power, threads);
  judge.run();
}

// Next to the first sample the others are below the last digit; together they are not.
TEST_CASE("a flash, then a small lamp") {
  course::Judge judge;
  for (int threads : {1, 100, 100'003}) {
    auto power = judge.numbers<float>(100'003, 0.01f, 0.02f);
    power[0] = 1e6f;
    ask(judge, "a flash", power, threads);
  }
  judge.run();
}

TEST_CASE("heated and cooled") {
  course::Judge judge;
  const auto power = judge.numbers<float>(150'001, -1000, 1000);
  for (int threads : {1, 333, 150'001})
    ask(judge, "both signs", power, threads);
  judge.run();
}
