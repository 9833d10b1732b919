// Judges exercise 08-matmul/odd-tiles: sizes of all families in each dimension, numbers whose bits
// have to agree; and the kernel's loads are counted.
#include "exercises/08-matmul/odd-tiles.hpp"
#include "tests/08-matmul/matrices.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(odd_tiles)>;

Question ask(course::Judge &judge, Size size, const std::string &also = "") {
  return judge.ask<decltype(odd_tiles)>(text_of(size) + also);
}

void call(Question question, Size size, float alpha, const Matrix &a, const Matrix &b, float beta,
          const Matrix &before, double tolerance = 0) {
  Matrix expected;
  for (double sum : product(size, a, b)) {
    const double old = beta == 0 ? 0 : double(beta) * before[expected.size()];
    expected.push_back(float(alpha * sum + old));
  }
  question.with(size.m, size.n, size.k, alpha, a, b, beta,
                course::in_out(before, expected, tolerance).shape(size.n));
}

// Very large, very small and usual numbers and factors; nothing is rounded.
void call(course::Judge &judge, Question question, Size size) {
  const auto [m, n, k] = size;
  const Exponents of = exponents(judge);
  const int factor = judge.number(-9, 9);
  call(question, size, quarter(judge), quarters(judge, m, k, of.first),
       quarters(judge, k, n, of.second), std::ldexp(quarter(judge), factor),
       quarters(judge, m, n, of.product - factor));
}

Size any_size(course::Judge &judge) { // none of whose tiles is a whole one
  return {8 * judge.number(2, 5) + 3, 32 * judge.number(1, 2) + judge.number(5, 27),
          16 * judge.number(2, 4) + judge.number(9, 15)};
}

} // namespace

TEST_CASE("C becomes alpha A B + beta C") {
  course::Judge judge;
  for (Size size : sizes(judge))
    call(judge, ask(judge, size), size);
  const Size whole{8 * judge.number(1, 6), 32 * judge.number(1, 3), 16 * judge.number(1, 4)};
  call(judge, ask(judge, whole), whole);
  judge.run();
}

TEST_CASE("factors and numbers that are special") {
  course::Judge judge;
  const Size size = any_size(judge);
  const auto [m, n, k] = size;
  const Matrix a = quarters(judge, m, k), b = quarters(judge, k, n), c = quarters(judge, m, n);

  call(ask(judge, size, ", beta = 0 and C infinite or NaN"), size, 1, a, b, 0,
       judge.sprinkled(Matrix(c.size(), INFINITY), Matrix(c.size() / 2, NAN)));
  const Matrix no_numbers(c.size(), NAN);
  const auto factors = ask(judge, size, ", factors of 0, -0, 1 and -1");
  for (const auto &[alpha, beta] :
       {std::pair(1.0f, 1.0f), {1.0f, -1.0f}, {0.0f, -1.0f}, {0.0f, quarter(judge)}})
    call(factors, size, alpha, a, b, beta, c);
  for (const auto &[alpha, beta] : {std::pair(1.0f, -0.0f), {0.0f, 0.0f}})
    call(factors, size, alpha, a, b, beta, no_numbers);
  call(ask(judge, size, ", beta nearly 0 and C large"), size, 1, a, b, std::ldexp(1.0f, -110),
       quarters(judge, m, n, 110));
  call(ask(judge, size, ", alpha nearly 0 and A large"), size, std::ldexp(1.0f, -110),
       quarters(judge, m, k, 110), b, 1, c);
  const auto edges = ask(judge, size, ", infinite numbers at the edges of A, then of B");
  call(edges, size, 1, with_infinite_edges(a, k), Matrix(b.size(), 0.5f), 1, c);
  call(edges, size, 1, Matrix(a.size(), 0.5f), with_infinite_edges(b, n), 1, c);
  call(ask(judge, size, ", infinite numbers in C"), size, 1, a, b, quarter(judge),
       with_infinite_numbers(judge, c, n));
  call(ask(judge, size, ", infinite numbers in A and B"), size, 1,
       with_infinite_numbers(judge, a, k), with_infinite_numbers(judge, b, n), 1, c);
  const auto zeros_in_a = ask(judge, size, ", zeros in A, and infinite numbers in B"),
             zeros_in_b = ask(judge, size, ", infinite numbers in A, and zeros in B");
  for (const Matrix &zeros : {with_zeros(judge, a), Matrix(a.size())})
    call(zeros_in_a, size, 1, zeros, with_infinite_numbers(judge, b, n), 1, c);
  for (const Matrix &zeros : {with_zeros(judge, b), Matrix(b.size())})
    call(zeros_in_b, size, 1, with_infinite_numbers(judge, a, k), zeros, 1, c);
  call(ask(judge, size, ", numbers of all digits"), size, judge.number(1.0f, 2.0f),
       fractions(judge, m, k), fractions(judge, k, n), judge.number(-2.0f, -1.0f),
       fractions(judge, m, n), rounding(2 * k));
  judge.run();
}

TEST_CASE("several products in one process; and a kernel that does nothing") {
  course::Judge judge;
  ask_several(judge, any_size(judge), ask,
              [&](Question question, Size size, const Matrix &a, const Matrix &b) {
                call(question, size, quarter(judge), a, b, quarter(judge),
                     quarters(judge, size.m, size.n));
              });
  const Size odd{63, 95, 31};
  const auto idle = ask(judge, odd, ", alpha = 0, and the kernel does nothing").without_kernels();
  call(idle, odd, 0, quarters(judge, 63, 31), quarters(judge, 31, 95), -2, quarters(judge, 63, 95));
  judge.run();
}

TEST_CASE("each tile is loaded once for each tile of C") {
  course::Judge judge;
  for (Size size : {Size{64, 128, 96}, any_size(judge), any_size(judge),
                    Size{8, 32, 320}, // a whole tile, to which many slices add
                    Size{9, 33, 300}, // a tile of one row, and one of one column
                    Size{40, 50, judge.number(10, 15)}}) {
    const std::uint64_t m = size.m, n = size.n, k = size.k;
    auto question = ask(judge, size, ", counted");
    call(judge, question, size);
    question
        .at_most(&course::Work::global_loads,
                 loads_of_tiles(size, 8, 32, 16) +
                     8 * m * n, // C may be scaled first, and several blocks may add to it
                 "the sum reads A and B themselves where it should read the tiles, a thread "
                 "copies numbers that another one copies, too, or each slice reads C")
        .at_most(&course::Work::shared_loads,
                 8 * ((k + 15) / 16 * 16) * ((m + 7) / 8 * 8) * ((n + 31) / 32 * 32),
                 "the sum goes through far more slices than cover k");
  }
  judge.run();
}

TEST_CASE("as long and as large as they may be", "[large]") {
  course::Judge judge;
  for (Size size : large_sizes(judge))
    call(judge, ask(judge, size), size);
  judge.run();
}
