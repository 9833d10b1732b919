// Judges exercise 20-tensor-cores/edge-tiles: sizes of all families, numbers whose bits have to
// agree. Loads and calls of mma_sync are counted: without tensor cores each number of a tile is
// read 16 times.
#include "exercises/20-tensor-cores/edge-tiles.hpp"
#include "tests/20-tensor-cores/halves.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(edge_tiles)>;

void call(Question question, Size size, const Matrix &a, const Matrix &b) {
  const std::vector<double> sums = product(size, a, b);
  question.with(size.m, size.n, size.k, a, b,
                course::output(Matrix(sums.begin(), sums.end())).shape(size.n));
}

Question ask(course::Judge &judge, Size size, const std::string &also) {
  return judge.ask<decltype(edge_tiles)>(text_of(size) + also);
}

Question ask(course::Judge &judge, Size size, const std::string &also, const Matrix &a,
             const Matrix &b) {
  const Question question = ask(judge, size, also);
  call(question, size, a, b);
  return question;
}

Question ask(course::Judge &judge, Size size, bool digits_in_a, const std::string &also = "") {
  const auto [a, b] = exact_factors(judge, size, digits_in_a);
  return ask(judge, size, also, a, b);
}

Size any_size(course::Judge &judge) { // none of whose tiles is a whole one
  const auto number = [&] { return 16 * judge.number(1, 3) + judge.number(1, 15); };
  return {number(), number(), number()};
}

} // namespace

TEST_CASE("C = A B") {
  course::Judge judge;
  bool digits_in_a = false;
  for (Size size : sizes(judge))
    ask(judge, size, digits_in_a = !digits_in_a);
  judge.run();
}

TEST_CASE("one after the other; and who does the work") {
  course::Judge judge;
  const Size small{32 * judge.number(1, 2) - 1, 31, 32 * judge.number(1, 2) - 1};
  ask_several(
      judge, small,
      [](auto &its, Size size, const std::string &also) { return ask(its, size, also); }, call);
  judge.run();
}

TEST_CASE("numbers that are special") {
  course::Judge judge;
  const Size size = any_size(judge);
  const auto [m, n, k] = size;
  const Matrix a = quarters(judge, m, k), b = quarters(judge, k, n);
  ask(judge, size, ", infinite numbers in A", with_infinite_numbers(judge, a, k), b);
  ask(judge, size, ", infinite numbers at the edges of A", with_infinite_edges(a, k),
      Matrix(b.size(), 0.5f));
  ask(judge, size, ", infinite numbers at the edges of B", Matrix(a.size(), 0.5f),
      with_infinite_edges(b, n));
  ask(judge, size, ", the largest halves in A", judge.sprinkled(a, {65504.0f, -65504.0f}), b);
  ask(judge, size, ", the largest halves in B", a, judge.sprinkled(b, {65504.0f, -65504.0f}));
  Matrix zeros_in_a = a, zeros_in_b = b, special_a = a, special_b = b; // in the first slice
  for (int row = 0; row < m; ++row)
    std::fill_n(zeros_in_a.begin() + row * k, 16, 0.0f);
  std::fill_n(zeros_in_b.begin(), 16 * n, 0.0f);
  special_a[judge.number(0, m - 1) * k + judge.number(0, 15)] = INFINITY;
  special_b[judge.number(0, 15) * n + judge.number(0, n - 1)] = INFINITY;
  ask(judge, size, ", zeros in A, and an infinite number in B", zeros_in_a, special_b);
  ask(judge, size, ", zeros in B, and an infinite number in A", special_a, zeros_in_b);
  judge.run();
}

TEST_CASE("each tile is loaded once, and multiplied by tensor cores") {
  course::Judge judge;
  const int rest = judge.number(1, 15);
  for (Size size : {Size{48, 32, 160}, any_size(judge), Size{70, 5, 200}, Size{32, 32, 49},
                    Size{32, 32, 48 + rest}, Size{17, 16, 33}, Size{16, 16 + rest, 33}}) {
    const auto tiles = [](int length) { return std::uint64_t(length + 15) / 16; };
    const std::uint64_t m = size.m, n = size.n, k = size.k, c_tiles = tiles(m) * tiles(n);
    ask(judge, size, true, ", counted")
        .at_most(&course::Work::global_loads, m * k * tiles(n) + k * n * tiles(m),
                 "the kernel reads A and B themselves where it should read the tiles")
        .at_most(&course::Work::shared_loads, c_tiles * (1024 * tiles(k) + 512),
                 "the kernel multiplies single numbers of the tiles, without mma_sync")
        .at_least(&course::Work::mma_float, (m * n + 255) / 256 * tiles(k), // of 8 x 32, too
                  "a part of the products is computed without mma_sync");
  }
  judge.run();
}

TEST_CASE("long matrices, and large ones", "[large]") {
  course::Judge judge;
  const auto few = [&] { return judge.number(1, 3); };
  const auto many = [&] { return judge.number(99'000, 100'000); };
  const auto side = [&] { return judge.number(1'044, 1'048); };
  for (Size size :
       {Size{many(), 1, 3}, Size{few(), many(), 2}, Size{few(), few(), many()},
        Size{side(), side(), few()}, Size{few(), side(), side()}, Size{side(), few(), side()}})
    ask(judge, size, "", quarters(judge, size.m, size.k), quarters(judge, size.k, size.n));
  judge.run();
}
