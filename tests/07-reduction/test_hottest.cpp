// Judges exercise 07-reduction/hottest. Few different temperatures, so that ties abound; all below
// 0, so that a cell which is not there must not win.
#include "exercises/07-reduction/hottest.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

namespace {

void ask(course::Judge &judge, const std::string &title, const std::vector<float> &degrees) {
  const auto first = std::max_element(degrees.begin(), degrees.end());
  const float hot = *first;
  const int cell = int(first - degrees.begin());
  std::ostringstream expected;
  expected << "cell " << cell << " with " << hot << " degrees";
  judge.ask<decltype(hottest)>(title)
      .with(int(degrees.size()), degrees)
      .returns_such_that(expected.str(),
                         [=](Hottest h) { return h.degrees == hot && h.cell == cell; });
}

} // namespace

TEST_CASE("one cell is the hottest") {
  course::Judge judge;
  for (int n : {1000, 1, 2, 31, 33, 255, 257, 10'007, judge.number(20'000, 200'000)}) {
    auto degrees = judge.numbers<float>(n, -40, -1);
    ask(judge, std::to_string(n) + " cells below 0", degrees);
    degrees[n - 1] = -0.5f;
    ask(judge, std::to_string(n) + " cells below 0, the last is the hottest", degrees);
    degrees[0] = 21.5f;
    ask(judge, std::to_string(n) + " cells, the first is the hottest", degrees);
  }
  judge.run();
}

TEST_CASE("of equally hot cells the lowest") {
  course::Judge judge;
  for (int n : {1000, 257, 10'007, judge.number(20'000, 200'000)}) {
    std::vector<float> degrees(n, -3.5f);
    ask(judge, std::to_string(n) + " cells, all equally hot", degrees);
    for (float &one : degrees)
      one = judge.number(-12, -5);
    ask(judge, std::to_string(n) + " cells of 8 temperatures", degrees);
    degrees[n / 3] = degrees[n / 3 + 1] = degrees[n / 2] = degrees[n - 1] = -2;
    ask(judge, std::to_string(n) + " cells, four equally hot", degrees);
  }
  judge.run();
}

TEST_CASE("very cold") {
  course::Judge judge;
  ask(judge, "300 cells near the lowest float", judge.numbers<float>(300, -3e38f, -2e38f));
  ask(judge, "one cell, the lowest float", {std::numeric_limits<float>::lowest()});
  judge.run();
}
