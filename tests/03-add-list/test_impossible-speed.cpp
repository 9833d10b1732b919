// Judges exercise 03-add-list/impossible-speed: the result, the report of a launch that fails, and
// a time that is possible at all.
#include "exercises/03-add-list/impossible-speed.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

std::string text(Measurement m) {
  return "error " + std::to_string(m.error) + " and " + std::to_string(1e3 * m.seconds) + " ms";
}

// A case of n numbers; x is added `times` times where the launch succeeds.
course::Question<decltype(impossible_speed)> ask(course::Judge &judge, const std::string &title,
                                                 int n, int times, int block) {
  const auto x = judge.numbers<float>(n), y = judge.numbers<float>(n);
  auto expected = y;
  if (block <= 1024)
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < times; ++k)
        expected[i] += x[i];
  auto question = judge.ask<decltype(impossible_speed)>(title);
  question.with(n, times, x, course::in_out(y, expected), block);
  return question;
}

} // namespace

TEST_CASE("the sum") {
  course::Judge judge;
  for (int n : {1, 255, 10'007})
    ask(judge, std::to_string(n) + " numbers", n, 3, 128)
        .returns_such_that(
            "error 0 and a time above 0",
            [](Measurement m) { return m.error == 0 && m.seconds > 0; }, text);
  judge.run();
}

TEST_CASE("a launch that fails") {
  course::Judge judge;
  ask(judge, "a block of 2048 threads", 1003, 3, 2048)
      .returns_such_that(
          "the error of that launch, which is not 0", [](Measurement m) { return m.error != 0; },
          text);
  judge.run();
}

// Not a test of speed: each addition waits for the one before, and no processor ends a float
// addition in 0.2 ns (one cycle at 5 GHz). A launch alone takes far less than the 50 us.
TEST_CASE("the time") {
  course::Judge judge;
  const int times = 250'000;
  ask(judge, "250000 additions one after the other", 33, times, 32)
      .returns_such_that(
          "a time above 0.05 ms: the clock was read before the kernel ended",
          [](Measurement m) { return m.seconds >= times * 0.2e-9; }, text);
  judge.run();
}
