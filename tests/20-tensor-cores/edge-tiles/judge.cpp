// Judges exercise 20-tensor-cores/edge-tiles: sizes of all families, numbers whose bits have to
// agree. The loads are counted: without tensor cores each number of a tile is read 16 times.
#include "exercises/20-tensor-cores/edge-tiles.hpp"
#include "tests/08-matmul/matrices.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

auto ask(course::Judge &judge, Size size, const std::string &also, const Matrix &a,
         const Matrix &b) {
  const std::vector<double> sums = product(size, a, b);
  return judge.ask<decltype(edge_tiles)>(text_of(size) + also)
      .with(size.m, size.n, size.k, a, b,
            course::output(Matrix(sums.begin(), sums.end())).shape(size.n));
}

auto ask(course::Judge &judge, Size size, const std::string &also = "") {
  const int exponent = judge.number(-6, 6); // half holds these numbers, and nothing is rounded
  return ask(judge, size, also, quarters(judge, size.m, size.k, exponent),
             quarters(judge, size.k, size.n, -exponent));
}

Size any_size(course::Judge &judge) { // none of whose tiles is a whole one
  const auto number = [&] { return 16 * judge.number(1, 3) + judge.number(1, 15); };
  return {number(), number(), number()};
}

} // namespace

TEST_CASE("C = A B") {
  course::Judge judge;
  for (Size size : sizes(judge))
    ask(judge, size);
  ask(judge, any_size(judge), ", and the kernel does nothing").without_kernels();
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
  judge.run();
}

TEST_CASE("each tile is loaded once, and multiplied by tensor cores") {
  course::Judge judge;
  for (Size size : {Size{48, 32, 160}, any_size(judge), Size{70, 5, 200}}) {
    const auto tiles = [](int length) { return std::uint64_t(length + 15) / 16; };
    const std::uint64_t m = size.m, n = size.n, k = size.k, c_tiles = tiles(m) * tiles(n);
    ask(judge, size, ", counted")
        .at_most(&course::Work::global_loads, m * k * tiles(n) + k * n * tiles(m),
                 "the kernel reads A and B themselves where it should read the tiles")
        .at_most(&course::Work::shared_loads, c_tiles * (1024 * tiles(k) + 512),
                 "the kernel multiplies single numbers of the tiles, without mma_sync");
  }
  judge.run();
}
