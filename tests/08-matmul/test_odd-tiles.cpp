// Judges exercise 08-matmul/odd-tiles: m, n and k differ and are mostly prime, so an exchanged one
// shows; and the kernel's loads are counted.
#include "exercises/08-matmul/odd-tiles.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

struct Size {
  int m, n, k;
};

// A case of that size. With beta = 0 the old C is infinite.
course::Question<decltype(odd_tiles)> ask(course::Judge &judge, Size size, float beta) {
  const auto [m, n, k] = size;
  const float alpha = judge.number(1.0f, 2.0f);
  const auto a = judge.numbers<float>(m * k), b = judge.numbers<float>(k * n);
  const auto before = beta == 0 ? std::vector<float>(m * n, INFINITY) : judge.numbers<float>(m * n);
  std::vector<float> expected(m * n);
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      double sum = 0;
      for (int i = 0; i < k; ++i)
        sum += double(a[row * k + i]) * b[i * n + col];
      expected[row * n + col] =
          float(alpha * sum + (beta == 0 ? 0 : double(beta) * before[row * n + col]));
    }
  // Every term is at most 2: k additions, each rounded by less than 2^-24 of the sum so far.
  const double tolerance = 1e-6 * (k + 3);
  auto question = judge.ask<decltype(odd_tiles)>("C (" + std::to_string(m) + " x " +
                                                 std::to_string(n) + "), k = " + std::to_string(k) +
                                                 (beta == 0 ? ", beta = 0 and C infinite" : ""));
  question.with(m, n, k, alpha, a, b, beta, course::in_out(before, expected, tolerance).shape(n));
  return question;
}

} // namespace

TEST_CASE("C becomes alpha A B + beta C") {
  course::Judge judge;
  for (Size size : {Size{8, 32, 16},
                    {16, 64, 48},
                    {1, 1, 1},
                    {17, 33, 65},
                    {7, 31, 13},
                    {101, 67, 53},
                    {5, 97, 17},
                    {3, 2, 211},
                    {71, 1, 29}})
    ask(judge, size, judge.number(-2.0f, -1.0f));
  judge.run();
}

TEST_CASE("with beta = 0 the old C does not count") {
  course::Judge judge;
  ask(judge, {8, 32, 16}, 0);
  ask(judge, {19, 43, 37}, 0);
  judge.run();
}

// Two products in one process: nothing of the first may be left for the second.
TEST_CASE("C becomes alpha A B + beta C, called twice") {
  course::Judge judge;
  const int m = 11, n = 37, k = 23;
  auto question = judge.ask<decltype(odd_tiles)>("two products of one size");
  for (int call = 0; call < 2; ++call) {
    const auto a = judge.numbers<float>(m * k), b = judge.numbers<float>(k * n);
    const auto before = judge.numbers<float>(m * n);
    std::vector<float> expected(m * n);
    for (int i = 0; i < m * n; ++i) {
      double sum = 0;
      for (int j = 0; j < k; ++j)
        sum += double(a[i / n * k + j]) * b[j * n + i % n];
      expected[i] = float(sum - before[i]);
    }
    question.with(m, n, k, 1.0f, a, b, -1.0f, course::in_out(before, expected, 3e-5).shape(n));
  }
  judge.run();
}

TEST_CASE("each number is loaded once for each tile of C") {
  course::Judge judge;
  const int m = 64, n = 128, k = 96;
  const std::uint64_t a_loads = std::uint64_t(m) * k * (n / 32), b_loads = k * n * (m / 8);
  ask(judge, {m, n, k}, -1)
      .at_most(&course::Work::global_loads, a_loads + b_loads + 2 * m * n, // C may be scaled first
               "the sum reads A and B themselves where it should read the tiles, or a thread "
               "copies numbers that another one copies, too");
  judge.run();
}
