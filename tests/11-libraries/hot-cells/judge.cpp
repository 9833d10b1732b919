// Judges exercise 11-libraries/hot-cells.
#include "common/grader/judge/judge.hpp"
#include "exercises/11-libraries/hot-cells.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>

namespace {

using Question = course::Question<decltype(hot_cells)>;

void call(Question question, const std::vector<float> &degrees, float limit) {
  const auto hotter = std::count_if(degrees.begin(), degrees.end(),
                                    [limit](float cell) { return cell > limit; }),
             equal = std::count(degrees.begin(), degrees.end(), limit);
  std::vector<std::pair<int, std::string>> mistakes;
  if (equal > 0)
    mistakes.emplace_back(int(hotter + equal), "cells of exactly the limit are counted, too");
  question.with(int(degrees.size()), degrees, limit).returns(int(hotter), 0, mistakes);
}

} // namespace

TEST_CASE("cells that are hotter than a limit") {
  course::Judge judge;
  for (int n : judge.sizes(1'400'000))
    call(judge.ask<decltype(hot_cells)>(std::to_string(n) + " cells"),
         judge.numbers<float>(n, -40, 140), judge.number(-20.0f, 20.0f));
  const auto infinite = judge.ask<decltype(hot_cells)>("infinite cells among others, and limits");
  for (float limit : {judge.number(-20.0f, 20.0f), INFINITY, -INFINITY,
                      std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest()})
    call(infinite,
         judge.sprinkled(judge.numbers<float>(judge.number(500, 900), -40, 140),
                         {INFINITY, INFINITY, -INFINITY}),
         limit);
  judge.run();
}

TEST_CASE("cells of exactly that temperature; all of them hotter, and none") {
  course::Judge judge;
  std::vector<float> degrees;
  for (int cell : judge.numbers<int>(judge.number(500, 900), 10, 14))
    degrees.push_back(cell);
  auto question = judge.ask<decltype(hot_cells)>(std::to_string(degrees.size()) +
                                                 " cells of 10 to 14 degrees, limits 12, 9 and 14");
  for (float limit : {12.0f, 9.0f, 14.0f})
    call(question, degrees, limit);
  degrees[degrees.size() / 2] = 15; // alone
  call(question, degrees, 14);
  judge.run();
}

TEST_CASE("cells that are hardly hotter, or colder") {
  course::Judge judge;
  auto zeros = judge.ask<decltype(hot_cells)>("cells of 0 and -0, limits -0 and 0");
  for (float limit : {-0.0f, 0.0f})
    call(zeros, {0.0f, -0.0f, 1e-45f, -0.0f, 0.0f, -1e-45f, 1}, limit);
  const float limit = judge.number(10.0f, 20.0f);
  std::vector<float> degrees;
  for (int i = 0; i < 300; ++i)
    degrees.push_back(std::nextafter(limit, i % 3 ? 100.0f : -100.0f));
  call(judge.ask<decltype(hot_cells)>("300 cells, each the float next to the limit"), degrees,
       limit);
  judge.run();
}

TEST_CASE("cells below 0, and the kernels do nothing") {
  course::Judge judge;
  const int n = 32 * judge.number(16, 28) + 31;
  call(judge.ask<decltype(hot_cells)>(std::to_string(n) + " cells of -20 to 20 degrees, limit -5"),
       judge.numbers<float>(n, -20, 20), -5);
  auto degrees = judge.numbers<float>(n, 6, 20); // almost all are hot: so is any rest
  degrees[n / 2] = -6;
  call(judge.ask<decltype(hot_cells)>(std::to_string(n) + " cells, and the kernels do nothing")
           .without_kernels(),
       degrees, 5);
  judge.run();
}

TEST_CASE("as many hot cells as there may be", "[large]") {
  course::Judge judge;
  const std::vector<float> degrees(19'999'999 - 2 * judge.number(0, 100), 1.0f);
  call(judge.ask<decltype(hot_cells)>(std::to_string(degrees.size()) + " cells, all hot"), degrees,
       0);
  judge.run();
}
