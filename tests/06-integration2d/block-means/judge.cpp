// Judges exercise 06-integration2d/block-means. Whole numbers of eighths: their sums are exact in
// any order.
#include "common/grader/judge.hpp"
#include "exercises/06-integration2d/block-means.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(block_means)>;

// A mean is between -1250 and 1250, and a sample that is left out or doubled changes it by 1/8 of a
// 256th at least, unless it is 0, as some are. Two roundings of a float are allowed.
void ask_also(Question &question, const std::vector<float> &samples) {
  const int n = int(samples.size());
  std::vector<float> means((n + 255) / 256);
  std::vector<double> sums(means.size());
  for (int i = 0; i < n; ++i)
    sums[i / 256] += samples[i];
  for (int b = 0; b < int(means.size()); ++b)
    means[b] = sums[b] / std::min(256, n - 256 * b);
  question.with(n, samples, course::output(means, 2e-4));
}

std::vector<float> drawn(course::Judge &judge, int n) {
  std::vector<float> samples;
  for (int eighths : judge.sprinkled(judge.numbers<int>(n, -10'000, 10'000), {0, 0, 0}))
    samples.push_back(eighths / 8.0f);
  return samples;
}

void ask_also(course::Judge &judge, Question &question, int n) {
  ask_also(question, drawn(judge, n));
}

} // namespace

TEST_CASE("the mean of each minute") {
  course::Judge judge;
  for (int n : judge.sizes(100'000)) {
    auto question = judge.ask<decltype(block_means)>(std::to_string(n) + " samples");
    ask_also(judge, question, n);
  }
  const int whole = 256 * judge.number(2, 20);
  auto question = judge.ask<decltype(block_means)>(std::to_string(whole) + " samples");
  ask_also(judge, question, whole);
  auto special = judge.ask<decltype(block_means)>("a NaN and two infinite samples among others");
  ask_also(special, judge.sprinkled(drawn(judge, whole), {NAN, INFINITY, INFINITY}));
  judge.run();
}

TEST_CASE("other samples, one after the other; and a kernel that does nothing") {
  course::Judge judge;
  const int n = judge.number(3000, 9000);
  auto calls = judge.ask<decltype(block_means)>(std::to_string(n) + " samples, again, then fewer");
  for (int its_n : {n, n, n / 3})
    ask_also(judge, calls, its_n);
  auto idle =
      judge.ask<decltype(block_means)>(std::to_string(n) + " samples, and the kernel does nothing");
  ask_also(judge, idle, n);
  idle.without_kernels();
  judge.run();
}

TEST_CASE("more minutes than 16384", "[large]") {
  course::Judge judge;
  const int n = judge.number(4'200'000, 4'500'000);
  auto question = judge.ask<decltype(block_means)>(std::to_string(n) + " samples");
  ask_also(question, std::vector<float>(n, 2.5f));
  judge.run();
}
