// Judges exercise 20-tensor-cores/swapped-layout: sizes that differ, numbers whose bits have to
// agree; calls of mma_sync are counted.
#include "exercises/20-tensor-cores/swapped-layout.hpp"
#include "tests/20-tensor-cores/halves.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

// Of a size here m are the queries, n the keys, and k is the depth.
void call(course::Question<decltype(swapped_layout)> question, Size size, const Matrix &q,
          const Matrix &transposed) {
  Matrix keys(transposed.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = transposed[i % size.k * size.n + i / size.k];
  const std::vector<double> sums = product(size, q, transposed);
  question.with(size.m, size.n, size.k, q, keys,
                course::output(Matrix(sums.begin(), sums.end())).shape(size.n));
}

auto ask(course::Judge &judge, Size size, const Matrix &q, const Matrix &transposed,
         const std::string &also = "") {
  const auto question = judge.ask<decltype(swapped_layout)>(
      std::to_string(size.m) + " queries, " + std::to_string(size.n) + " keys, depth " +
      std::to_string(size.k) + also);
  call(question, size, q, transposed);
  return question;
}

auto ask(course::Judge &judge, Size size, bool digits_in_q = true, const std::string &also = "") {
  const auto [q, transposed] = exact_factors(judge, size, digits_in_q);
  return ask(judge, size, q, transposed, also);
}

Size any_size(course::Judge &judge) { // three different ones
  const int first = 16 * judge.number(1, 2), second = first + 16 * judge.number(1, 2);
  return {first, second, second + 16 * judge.number(1, 3)};
}

} // namespace

TEST_CASE("S = Q K^T") {
  course::Judge judge;
  ask(judge, {16, 16, 16});
  for (int i = 0; i < 3; ++i) {
    const auto [m, n, k] = any_size(judge);
    for (Size size : {Size{m, n, k}, Size{n, k, m}, Size{k, m, n}, Size{m, m, m}})
      ask(judge, size, i % 2 == 0);
  }
  const Size size = any_size(judge);
  Matrix q = quarters(judge, size.m, size.k), transposed = quarters(judge, size.k, size.n);
  const auto again = ask(judge, size, q, transposed, ", then another number in Q, then in K");
  q[judge.number<std::size_t>(1, q.size() - 2)] += 1;
  call(again, size, q, transposed);
  transposed[judge.number<std::size_t>(1, transposed.size() - 2)] += 1;
  call(again, size, q, transposed);
  ask(judge, any_size(judge), true, ", and the kernel does nothing")
      .without_kernels(course::Host::sees_inputs);
  judge.run();
}

TEST_CASE("the tensor cores multiply") {
  course::Judge judge;
  const auto [m, n, k] = any_size(judge);
  for (Size size : {Size{m, n, k}, Size{m + 16, n + 16, k + 16}}) // odd numbers of tiles, and even
    ask(judge, size, true, ", counted")
        .at_least(&course::Work::mma_float, std::uint64_t(size.m) * size.n * size.k / 4096,
                  "a part of the products is computed without mma_sync");
  judge.run();
}

TEST_CASE("long matrices", "[large]") {
  course::Judge judge;
  const auto many = [&] { return 16 * judge.number(3'100, 3'125); };
  for (Size size : {Size{many(), 16, 16}, Size{16, many(), 16}, Size{16, 16, many()}})
    ask(judge, size, quarters(judge, size.m, size.k), quarters(judge, size.k, size.n));
  judge.run();
}
