// Judges exercise 20-tensor-cores/swapped-layout: sizes that differ, numbers whose bits have to
// agree. The loads are counted: without tensor cores each number is read 16 times as often.
#include "exercises/20-tensor-cores/swapped-layout.hpp"
#include "tests/08-matmul/matrices.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(swapped_layout)>;

// Of a size here m are the queries, n the keys, and k is the depth.
Question ask(course::Judge &judge, Size size, const std::string &also = "") {
  return judge.ask<decltype(swapped_layout)>(std::to_string(size.m) + " queries, " +
                                             std::to_string(size.n) + " keys, depth " +
                                             std::to_string(size.k) + also);
}

void call(Question question, Size size, const Matrix &q, const Matrix &keys) {
  Matrix transposed(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    transposed[i % size.k * size.n + i / size.k] = keys[i];
  const std::vector<double> sums = product(size, q, transposed);
  question.with(size.m, size.n, size.k, q, keys,
                course::output(Matrix(sums.begin(), sums.end())).shape(size.n));
}

void call(course::Judge &judge, Question question, Size size) {
  const int exponent = judge.number(-6, 6);
  call(question, size, quarters(judge, size.m, size.k, exponent),
       quarters(judge, size.n, size.k, -exponent));
}

Size any_size(course::Judge &judge) { // three different ones
  const int first = 16 * judge.number(1, 2), second = first + 16 * judge.number(1, 2);
  return {first, second, second + 16 * judge.number(1, 3)};
}

} // namespace

TEST_CASE("S = Q K^T") {
  course::Judge judge;
  call(judge, ask(judge, {16, 16, 16}), {16, 16, 16});
  for (int i = 0; i < 3; ++i) {
    const auto [m, n, k] = any_size(judge);
    for (Size size : {Size{m, n, k}, Size{n, k, m}, Size{k, m, n}, Size{m, m, m}})
      call(judge, ask(judge, size), size);
  }
  judge.run();
}

TEST_CASE("numbers that are special") {
  course::Judge judge;
  const Size size = any_size(judge);
  const Matrix q = quarters(judge, size.m, size.k), keys = quarters(judge, size.n, size.k);
  call(ask(judge, size, ", infinite numbers in Q"), size, with_infinite_numbers(judge, q, size.k),
       keys);
  call(ask(judge, size, ", infinite numbers in K"), size, q,
       with_infinite_numbers(judge, keys, size.k));
  judge.run();
}

TEST_CASE("several products in one process; and the kernel does nothing") {
  course::Judge judge;
  const Size size = any_size(judge);
  auto several = ask(judge, size, ", then the sizes change places");
  call(judge, several, size);
  call(judge, several, {size.k, size.m, size.n});
  call(judge, several, size);
  auto idle = ask(judge, size, ", and the kernel does nothing");
  call(judge, idle, size);
  idle.without_kernels();
  judge.run();
}

TEST_CASE("the tensor cores multiply") {
  course::Judge judge;
  for (int i = 0; i < 3; ++i) {
    const Size size = any_size(judge);
    const std::uint64_t m = size.m, n = size.n, k = size.k;
    auto question = ask(judge, size, ", counted");
    call(judge, question, size);
    question.at_most(&course::Work::global_loads, m * n * k / 4,
                     "the kernel multiplies single numbers, without mma_sync");
    question.at_most(&course::Work::shared_loads, m * n * k / 4,
                     "the kernel multiplies single numbers of shared memory, without mma_sync");
  }
  judge.run();
}
