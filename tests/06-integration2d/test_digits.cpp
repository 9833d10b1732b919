// Judges exercise 06-integration2d/digits: sums in which plain float addition keeps few digits.
#include "exercises/06-integration2d/digits.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

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
      .ask<decltype(digits)>(what + " to six digits, " + std::to_string(n) + " samples, " +
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

// The samples come in pairs that cancel, in random order: sums on the way are above the largest
// float, 3.4e38, whatever the order of the additions, and the sum of all is near 0.
TEST_CASE("sums that only a double holds") {
  course::Judge judge;
  auto power = judge.numbers<float>(20'000, 1e38f, 2e38f);
  for (int i = 0; i < 10'000; ++i)
    power[i] = -power[10'000 + i];
  for (int i = 19'999; i > 0; --i)
    std::swap(power[i], power[judge.number(0, i)]);
  for (int threads : {1, 20'000})
    judge
        .ask<decltype(digits)>(std::string("a sum beyond the largest float, in ") +
                               (threads == 1 ? "a thread" : "the sum of the threads' sums"))
        .with(20'000, 0.001f, power, threads)
        .returns_such_that("infinity or NaN, since all is computed in float (is this a double?)",
                           [](float energy) { return !std::isfinite(energy); });
  judge.run();
}

TEST_CASE("heated and cooled") {
  course::Judge judge;
  const auto power = judge.numbers<float>(150'001, -1000, 1000);
  for (int threads : {1, 333, 150'001})
    ask(judge, "both signs", power, threads);
  judge.run();
}

TEST_CASE("a lamp after a flash") {
  course::Judge judge;
  const auto flash = judge.numbers<float>(1000, 1e7f, 2e7f), lamp = judge.numbers<float>(100, 1, 2);
  judge.ask<decltype(digits)>("two calls, the last of 100 samples, 100 threads")
      .with(1000, 0.001f, flash, 1000)
      .with(100, 1.0f, lamp, 100)
      .returns(std::accumulate(lamp.begin(), lamp.end(), 0.0), 1e-6 * 200);
  judge.run();
}
