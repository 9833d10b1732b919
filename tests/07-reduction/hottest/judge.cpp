// Judges exercise 07-reduction/hottest. Few different temperatures, so that ties abound; all below
// 0, so that a cell which is not there must not win.
#include "common/grader/judge/judge.hpp"
#include "exercises/07-reduction/hottest.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <limits>

namespace {

using Question = course::Question<decltype(hottest)>;

std::string text(Hottest h) {
  std::ostringstream out;
  out.precision(9); // tells two floats apart
  out << "cell " << h.cell << " with " << h.degrees << " degrees";
  return out.str();
}

void ask_also(Question &question, const std::vector<float> &degrees) {
  const auto first = std::max_element(degrees.begin(), degrees.end());
  const Hottest right{*first, int(first - degrees.begin())};
  question.with(int(degrees.size()), degrees)
      .returns_such_that(
          text(right),
          [=](Hottest h) { return h.degrees == right.degrees && h.cell == right.cell; }, text);
}

} // namespace

TEST_CASE("one cell is the hottest") {
  course::Judge judge;
  for (int n : judge.sizes(820'000)) { // the longest is more than two rounds on a large GPU
    auto degrees = judge.numbers<float>(n, -40, -1);
    auto question = judge.ask<decltype(hottest)>(
        std::to_string(n) + " cells, all below 0; then the last, then the first is the hottest");
    ask_also(question, degrees);
    degrees[n - 1] = -0.5f;
    ask_also(question, degrees);
    degrees[0] = 21.5f;
    ask_also(question, degrees);
  }
  judge.run();
}

// On a device with many multiprocessors: of a large plate more blocks than a block has threads.
TEST_CASE("of equally hot cells the lowest") {
  course::Judge judge;
  const std::string processors = std::to_string(judge.number(130, 160));
  for (int n : {257, 10'007, judge.number(400'000, 600'000)}) {
    std::vector<float> degrees(n, -3.5f);
    auto equal = judge.ask<decltype(hottest)>(std::to_string(n) + " cells, all equally hot");
    ask_also(equal, degrees);
    for (float &one : degrees)
      one = judge.number(-12, -5);
    auto few = judge.ask<decltype(hottest)>(std::to_string(n) + " cells of few temperatures, " +
                                            processors + " multiprocessors");
    few.environment("COURSE_CPU_PROCESSORS", processors);
    ask_also(few, degrees);
    degrees[n / 3] = degrees[n / 3 + 1] = degrees[n / 2] = degrees[n - 1] = -2;
    degrees[n / 4] = std::nextafter(-2.0f, -3.0f); // not as hot as those
    ask_also(few, degrees);
    // Not in the first 1024 blocks of 256.
    degrees[std::min(n - 1, 1024 * 256 + judge.number(0, 4000))] = -1;
    ask_also(few, degrees);
  }
  judge.run();
}

// A lane whose pair gets lost on the way shows where it has the hottest.
TEST_CASE("each lane in turn has the hottest cell") {
  course::Judge judge;
  auto lanes = judge.ask<decltype(hottest)>("32 lists of 256 to 999 cells");
  for (int lane = 0; lane < 32; ++lane) {
    auto degrees = judge.numbers<float>(judge.number(256, 999), -40, -1);
    degrees[32 * judge.number(0, 7) + lane] = 0.5f;
    ask_also(lanes, degrees);
  }
  judge.run();
}

// 0 and -0 are equally hot.
TEST_CASE("around 0") {
  course::Judge judge;
  const int n = judge.number(300, 5000);
  auto zeros = judge.ask<decltype(hottest)>(std::to_string(n) + " cells of 0 and -0 degrees");
  for (float first : {-0.0f, 0.0f}) {
    auto degrees = judge.numbers<float>(n, -2, -1);
    for (int i = judge.number(1, n / 2); i < n; i += judge.number(1, 40))
      degrees[i] = judge.number(0, 1) ? 0.0f : -0.0f;
    *std::find(degrees.begin(), degrees.end(), 0.0f) = first; // either of the two
    ask_also(zeros, degrees);
  }
  const float tiny = std::numeric_limits<float>::denorm_min();
  auto both = judge.ask<decltype(hottest)>(std::to_string(n) + " cells, one just above 0");
  ask_also(both, judge.sprinkled(std::vector<float>(n), {tiny, -tiny, -0.0f, -1e-30f}));
  auto below = judge.ask<decltype(hottest)>("300 cells just below 0");
  ask_also(below, judge.numbers<float>(300, -2e-38f, -1e-40f));
  judge.run();
}

TEST_CASE("other lists, one after the other; and kernels that do nothing") {
  course::Judge judge;
  const int n = 32 * judge.number(100, 280) + 31;
  auto calls = judge.ask<decltype(hottest)>(std::to_string(n) + " cells, then colder ones, then 7");
  ask_also(calls, judge.numbers<float>(n, 20, 30));
  auto colder = judge.numbers<float>(n, -30, -20);
  ask_also(calls, colder);
  colder[n / 2] = -10; // this number only
  ask_also(calls, colder);
  ask_also(calls, judge.numbers<float>(7, -3e38f, -1e38f));
  ask_also(calls, judge.numbers<float>(2 * n, -1e38f, 3e38f));
  auto idle = judge.ask<decltype(hottest)>(std::to_string(n) + " cells, and kernels do nothing");
  auto degrees = judge.numbers<float>(n, -30, -20);
  degrees[judge.number(1, n - 1)] = -10; // not the first, which a host may start with
  ask_also(idle, degrees);
  idle.without_kernels(course::Host::sees_results);
  auto few = judge.ask<decltype(hottest)>("127 cells, and kernels do nothing"); // no whole block
  degrees.resize(127);
  degrees[judge.number(1, 126)] = -10;
  ask_also(few, degrees);
  few.without_kernels(course::Host::sees_results);
  judge.run();
}

TEST_CASE("very cold") {
  course::Judge judge;
  auto coldest = judge.ask<decltype(hottest)>("300 cells near the lowest float, and one of them");
  ask_also(coldest, judge.numbers<float>(300, -3e38f, -2e38f));
  ask_also(coldest, {std::numeric_limits<float>::lowest()});
  judge.run();
}

// The hottest of cells that are looked at ten times is the same: only the loads tell. One would do;
// an atomic operation for each cell is one more, and who reads a cell again in the next line is no
// fool, nor who looks for the degrees first and then for the cell.
TEST_CASE("the device looks at each cell, and not again and again") {
  course::Judge judge;
  for (int n : {judge.number(300, 900), 10'007}) {
    auto counted = judge.ask<decltype(hottest)>(std::to_string(n) + " cells, loads counted");
    ask_also(counted, judge.numbers<float>(n, -40, -1));
    counted.at_most(&course::Work::global_loads, 6 * n,
                    "a thread's next cell is one that another thread looks at, too");
  }
  judge.run();
}

TEST_CASE("a cell whose number no float holds", "[large]") {
  course::Judge judge;
  std::vector<float> degrees(judge.number(16'900'000, 17'000'000), -1.0f);
  degrees[(1 << 24) + 2 * judge.number(100, 150) + 1] = 1;
  auto question = judge.ask<decltype(hottest)>(std::to_string(degrees.size()) + " cells");
  ask_also(question, degrees);
  judge.run();
}
