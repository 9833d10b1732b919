// Judges exercise 08-matmul/late-barrier: products of many slices, where a tile that is overwritten
// too early shows, that are not square, and that no tile divides.
#include "exercises/08-matmul/late-barrier.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

void ask(course::Judge &judge, int m, int n, int k) {
  const auto a = judge.numbers<float>(m * k), b = judge.numbers<float>(k * n);
  std::vector<float> expected(m * n);
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      double sum = 0;
      for (int i = 0; i < k; ++i)
        sum += double(a[row * k + i]) * b[i * n + col];
      expected[row * n + col] = float(sum);
    }
  // Every term is at most 1; each addition is rounded by less than 2^-24 of the sum so far.
  judge
      .ask<decltype(late_barrier)>("C (" + std::to_string(m) + " x " + std::to_string(n) +
                                   "), k = " + std::to_string(k))
      .with(m, n, k, a, b, course::output(expected, 1e-6 * (k + 1)).shape(n));
}

} // namespace

TEST_CASE("square, and the tile divides it") {
  course::Judge judge;
  ask(judge, 16, 16, 16);
  ask(judge, 256, 256, 256);
  judge.run();
}

TEST_CASE("not square") {
  course::Judge judge;
  ask(judge, 32, 16, 80);
  ask(judge, 48, 112, 16);
  judge.run();
}

TEST_CASE("no tile divides it") {
  course::Judge judge;
  ask(judge, 1, 1, 1);
  ask(judge, 17, 33, 65);
  ask(judge, 61, 47, 53);
  ask(judge, 3, 5, judge.number(2, 15));
  judge.run();
}
