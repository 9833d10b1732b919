// Judges exercise 07-reduction/coldest.
#include "common/grader/judge/judge.hpp"
#include "exercises/07-reduction/coldest.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>

namespace {

using Question = course::Question<decltype(coldest)>;

void ask_also(Question &question, const std::vector<float> &degrees) {
  std::vector<float> expected((degrees.size() + 31) / 32, INFINITY);
  for (std::size_t i = 0; i < degrees.size(); ++i)
    expected[i / 32] = std::min(expected[i / 32], degrees[i]);
  std::vector<float> with_zeros = expected;
  if (degrees.size() % 32 != 0)
    with_zeros.back() = std::min(0.0f, expected.back());
  question.with(int(degrees.size()), degrees,
                course::output(expected).often(
                    with_zeros, "a lane without a cell contributes 0, which is colder than all the "
                                "cells of the last group"));
}

} // namespace

TEST_CASE("the coldest of each group") {
  course::Judge judge;
  for (int n : judge.sizes(100'000)) {
    auto question =
        judge.ask<decltype(coldest)>(std::to_string(n) + " cells, above 0, then below 0");
    ask_also(question, judge.numbers<float>(n, 1, 40));
    ask_also(question, judge.numbers<float>(n, -40, -1));
  }
  judge.run();
}

// A lane whose cell gets lost on the way shows where it has the coldest.
TEST_CASE("each lane in turn has the coldest cell") {
  course::Judge judge;
  std::vector<float> degrees(32 * 32 + judge.number(1, 31), 20);
  for (int lane = 0; lane < 32; ++lane)
    degrees[33 * lane] = lane % 4 == 0 ? 0 : judge.number(-10, 10);
  auto question = judge.ask<decltype(coldest)>("33 groups, each coldest at another place");
  ask_also(question, degrees);
  judge.run();
}

TEST_CASE("very hot, nearly equal, and nearly 0") {
  course::Judge judge;
  const int n = judge.number(33, 63);
  auto hot =
      judge.ask<decltype(coldest)>(std::to_string(n) + " cells near the largest float, then of it");
  ask_also(hot, judge.numbers<float>(n, 3.39e38f, 3.4e38f));
  ask_also(hot, std::vector<float>(n, std::numeric_limits<float>::max()));
  std::vector<float> degrees(32 * 32 + n, judge.number(10.0f, 20.0f));
  for (int lane = 0; lane < 32; ++lane)
    degrees[33 * lane] = std::nextafter(degrees[0], 0.0f);
  auto equal = judge.ask<decltype(coldest)>("33 groups, one cell colder by the last digit");
  ask_also(equal, degrees);
  auto tiny = judge.ask<decltype(coldest)>(std::to_string(n) + " cells just above 0, then below");
  ask_also(tiny, judge.numbers<float>(n, 1e-40f, 1e-38f));
  ask_also(tiny, judge.numbers<float>(n, -1e-38f, -1e-40f));
  judge.run();
}

TEST_CASE("other cells, one after the other; and a kernel that does nothing") {
  course::Judge judge;
  const int n = 32 * judge.number(100, 280) + 31;
  auto calls = judge.ask<decltype(coldest)>(std::to_string(n) + " cells, then warmer ones, then 7");
  ask_also(calls, judge.numbers<float>(n, -30, -20));
  auto warmer = judge.numbers<float>(n, 20, 30);
  ask_also(calls, warmer);
  warmer[n / 2] = 10; // this number only
  ask_also(calls, warmer);
  ask_also(calls, judge.numbers<float>(7, 50, 60));
  auto idle =
      judge.ask<decltype(coldest)>(std::to_string(n) + " cells, and the kernel does nothing");
  ask_also(idle, judge.numbers<float>(n, -30, -20));
  idle.without_kernels();
  judge.run();
}

TEST_CASE("more blocks of 64 than 65535", "[large]") {
  course::Judge judge;
  std::vector<float> degrees(judge.number(4'960'000, 5'000'000));
  for (std::size_t i = 0; i < degrees.size(); ++i)
    degrees[i] = i * 37 % 1021;
  auto question = judge.ask<decltype(coldest)>(std::to_string(degrees.size()) + " cells");
  ask_also(question, degrees);
  judge.run();
}
