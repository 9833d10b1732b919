// Judges exercise 13-profiling/hidden-wait: lists of all sizes; and how often the host waits.
#include "common/grader/judge/judge.hpp"
#include "exercises/13-profiling/hidden-wait.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(hidden_wait)>;

Question ask(course::Judge &judge, int n, int rounds, const std::string &also = "") {
  return judge.ask<decltype(hidden_wait)>(std::to_string(n) + " values, " + std::to_string(rounds) +
                                          (rounds == 1 ? " round" : " rounds") + also);
}

void call(Question question, int n, int rounds, const std::vector<float> &values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double largest = std::max({1.0f, -*low, *high});
  auto expected = values, once = values, before = values;
  for (int round = 0; round < rounds; ++round) {
    if (round == 1)
      once = expected;
    before = expected;
    const float first = expected[0];
    for (int i = 0; i < n; ++i)
      expected[i] = 0.5f * (expected[i] + (i + 1 < n ? expected[i + 1] : first));
  }
  question.with(n, rounds,
                course::in_out(values, expected, 1e-6 * largest)
                    .often(once, "each round begins with the first values, not with what the round "
                                 "before it has left")
                    .often(before, "the newest values are in the other array"));
}

void call(course::Judge &judge, Question question, int n, int rounds) {
  call(question, n, rounds, judge.numbers<float>(n));
}

} // namespace

TEST_CASE("a list is smoothed") {
  course::Judge judge;
  for (int n : judge.sizes(400'000)) { // more than 256 blocks of 1024 threads
    const int rounds = judge.number(1, 6);
    call(judge, ask(judge, n, rounds), n, rounds);
  }
  judge.run();
}

TEST_CASE("several lists in one process; and a kernel that does nothing") {
  course::Judge judge;
  auto several = ask(judge, 1000, 4, " and more, one after the other");
  call(judge, several, 1000, 4);
  for (int k = 0; k < 2; ++k)
    call(judge, several, judge.number(1, 3000), judge.number(1, 9));
  auto values = judge.numbers<float>(3000, -2000, 2000);
  call(several, 3000, 4, values);
  values[1500] += 1;
  call(several, 3000, 4, values);
  call(several, 3000, 5, values);
  const int n = 32 * judge.number(30, 60) + 31;
  auto idle = ask(judge, n, 3, ", while kernels do nothing");
  call(judge, idle, n, 3);
  idle.without_kernels();
  judge.run();
}

TEST_CASE("the host does not wait between the rounds") {
  course::Judge judge;
  for (int rounds : {8, judge.number(130, 150)}) { // more than one would wait after
    const int n = judge.number(500, 1000);
    auto question = ask(judge, n, rounds, ", counted");
    call(judge, question, n, rounds);
    question.at_most(&course::Work::waits_between, 0,
                     "a call in the loop waits. cudaFree does, too: work of the device may still "
                     "use the memory.");
  }
  judge.run();
}

TEST_CASE("as many values as there may be", "[large]") {
  course::Judge judge;
  const int n = 17'000'000 - judge.number(1, 255);
  std::vector<float> values(n, 1.0f), expected(n, 1.0f);
  values[n - 1] = 3;
  expected[n - 2] = expected[n - 1] = 2;
  ask(judge, n, 1).with(n, 1, course::in_out(values, expected));
  const int many = judge.number(4'500'000, 4'600'000); // more than 16 MiB
  auto question = ask(judge, many, 2, ", counted");
  call(judge, question, many, 2);
  question.at_most(&course::Work::waits_between, 0, "a call in the loop waits.");
  judge.run();
}
