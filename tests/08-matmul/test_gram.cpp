// Judges exercise 08-matmul/gram: samples, m and n differ and are mostly prime; and the kernel's
// loads are counted.
#include "exercises/08-matmul/gram.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

void ask_also(course::Judge &judge, course::Question<decltype(gram)> &question, int samples, int m,
              int n) {
  const auto x = judge.numbers<float>(samples * m), y = judge.numbers<float>(samples * n);
  std::vector<float> expected(m * n);
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      double sum = 0;
      for (int s = 0; s < samples; ++s)
        sum += double(x[s * m + row]) * y[s * n + col];
      expected[row * n + col] = float(sum);
    }
  // Every term is at most 1; each addition is rounded by less than 2^-24 of the sum so far.
  question.with(samples, m, n, x, y, course::output(expected, 1e-6 * (samples + 1)).shape(n));
}

course::Question<decltype(gram)> ask(course::Judge &judge, int samples, int m, int n) {
  auto question = judge.ask<decltype(gram)>(std::to_string(samples) + " samples, G (" +
                                            std::to_string(m) + " x " + std::to_string(n) + ")");
  ask_also(judge, question, samples, m, n);
  return question;
}

} // namespace

TEST_CASE("G = X^T Y") {
  course::Judge judge;
  ask(judge, 16, 32, 32);
  ask(judge, 48, 64, 32);
  ask(judge, 1, 1, 1);
  ask(judge, 65, 17, 33);
  ask(judge, 13, 37, 83);
  ask(judge, 211, 5, 41);
  ask(judge, 17, 97, 3);
  ask(judge, judge.number(100, 400), 31, judge.number(34, 60));
  judge.run();
}

TEST_CASE("G = X^T Y, called twice") {
  course::Judge judge;
  auto question = judge.ask<decltype(gram)>("101 samples, then 7");
  ask_also(judge, question, 101, 35, 43);
  ask_also(judge, question, 7, 35, 43);
  judge.run();
}

TEST_CASE("each number is loaded once for each tile of G") {
  course::Judge judge;
  const int samples = 320, m = 64, n = 32;
  const std::uint64_t x_loads = std::uint64_t(samples) * m * (n / 32);
  const std::uint64_t y_loads = std::uint64_t(samples) * n * (m / 32);
  const std::uint64_t g_loads = 8 * m * n; // where several blocks add to a tile
  ask(judge, samples, m, n)
      .at_most(&course::Work::global_loads, x_loads + y_loads + g_loads,
               "the sums read X and Y themselves where they should read the tiles, or a thread "
               "copies numbers that another one copies, too");
  judge.run();
}
