// Judges exercise 21-scan/keep-hot.
#include "common/grader/judge/judge.hpp"
#include "exercises/21-scan/keep-hot.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(keep_hot)>;

void call(Question question, const std::vector<float> &degrees, float limit) {
  std::vector<int> before(degrees.size(), -7), kept = before;
  int count = 0;
  for (std::size_t i = 0; i < degrees.size(); ++i)
    if (degrees[i] > limit)
      kept[count++] = int(i);
  question.with(int(degrees.size()), degrees, limit, course::in_out(before, kept))
      .returns(count, 0, {{count - 1, "the last cell is not counted"}});
}

Question ask(course::Judge &judge, const std::string &title, const std::vector<float> &degrees,
             float limit) {
  const auto question = judge.ask<decltype(keep_hot)>(title);
  call(question, degrees, limit);
  return question;
}

} // namespace

TEST_CASE("the hot cells, in their order") {
  course::Judge judge;
  for (int n : judge.sizes(200'000))
    ask(judge, std::to_string(n) + " cells", judge.numbers<float>(n, -40, 140),
        judge.number(-20.0f, 20.0f));
  judge.run();
}

TEST_CASE("all cells hot, none, the last alone, all but the last; exactly at the limit") {
  course::Judge judge;
  const int n = judge.number(700, 900);
  std::vector<float> degrees(n, 20);
  ask(judge, std::to_string(n) + " cells, all hot", degrees, 15);
  ask(judge, std::to_string(n) + " cells, none hot", degrees, 25);
  ask(judge, std::to_string(n) + " cells at the limit", degrees, 20);
  degrees.back() = 30;
  ask(judge, std::to_string(n) + " cells, the last alone is hot", degrees, 25);
  degrees.back() = 10;
  ask(judge, std::to_string(n) + " cells, the last alone is not hot", degrees, 15);
  for (int i = 0; i < n; ++i)
    degrees[i] = i % 3 ? std::nextafter(20.0f, 0.0f) : std::nextafter(20.0f, 30.0f);
  ask(judge, std::to_string(n) + " cells next to the limit", degrees, 20);
  for (const float limit : {0.0f, -0.0f})
    ask(judge, "cells next to a limit of " + std::to_string(limit),
        judge.sprinkled(std::vector<float>(n, -1e-45f), {1e-45f, 0.0f, -0.0f, 1e-40f}), limit);
  judge.run();
}

TEST_CASE("below 0; infinite; a kernel that does nothing") {
  course::Judge judge;
  const int n = judge.number(3000, 9000);
  ask(judge, "infinite cells among others",
      judge.sprinkled(judge.numbers<float>(n, -40, -10), {INFINITY, -INFINITY}), -20);
  for (const float limit : {INFINITY, -INFINITY, 3.4e38f, -3.4e38f})
    ask(judge, "infinite cells and a limit of " + std::to_string(limit),
        judge.sprinkled(judge.numbers<float>(n, -40, 140), {INFINITY, -INFINITY}), limit);
  const int odd = 32 * judge.number(100, 280) + 31;
  ask(judge, std::to_string(odd) + " cells, and the kernels do nothing",
      judge.numbers<float>(odd, -30, -20), -25)
      .without_kernels();
  auto degrees = judge.numbers<float>(n, -40, 140);
  const auto again = ask(judge, "then another limit, then another cell", degrees, 20);
  call(again, degrees, 21);
  float &middle = degrees[judge.number(n / 4, n / 2)];
  middle = middle > 21 ? 0 : 100;
  call(again, degrees, 21);
  judge.run();
}

TEST_CASE("more than 1024 blocks of 1024", "[large]") {
  course::Judge judge;
  const int n = judge.number(4'960'000, 5'000'000);
  for (int cells : {n, (1 << 20) + judge.number(1, 1023)})
    ask(judge, std::to_string(cells) + " cells", judge.numbers<float>(cells, -40, 140), 50);
  judge.run();
}
