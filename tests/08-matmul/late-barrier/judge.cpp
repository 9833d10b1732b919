// Judges exercise 08-matmul/late-barrier: products of one slice and of many, where a tile that is
// overwritten too early shows, of all families of sizes; bits have to agree.
#include "exercises/08-matmul/late-barrier.hpp"
#include "tests/08-matmul/matrices.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(late_barrier)>;

Question ask(course::Judge &judge, Size size, const std::string &also = "") {
  return judge.ask<decltype(late_barrier)>(text_of(size) + also);
}

void call(Question question, Size size, const Matrix &a, const Matrix &b, double tolerance = 0) {
  const std::vector<double> sums = product(size, a, b);
  question.with(size.m, size.n, size.k, a, b,
                course::output(Matrix(sums.begin(), sums.end()), tolerance).shape(size.n));
}

// Very large, very small and usual numbers; nothing is rounded.
void call(course::Judge &judge, Question question, Size size) {
  const Exponents of = exponents(judge);
  call(question, size, quarters(judge, size.m, size.k, of.first),
       quarters(judge, size.k, size.n, of.second));
}

Size any_size(course::Judge &judge) { // none of whose tiles is a whole one
  const auto number = [&] { return 16 * judge.number(1, 3) + judge.number(1, 15); };
  return {number(), number(), number()};
}

} // namespace

TEST_CASE("square, and the tile divides it") {
  course::Judge judge;
  for (int n : {16, 96, 16 * judge.number(2, 5)})
    call(judge, ask(judge, {n, n, n}), {n, n, n});
  judge.run();
}

TEST_CASE("not square") {
  course::Judge judge;
  const auto whole = [&](int low, int high) { return 16 * judge.number(low, high); };
  for (Size size :
       {Size{whole(1, 2), whole(3, 4), whole(5, 9)}, Size{whole(5, 6), whole(3, 4), whole(1, 2)}})
    call(judge, ask(judge, size), size);
  judge.run();
}

TEST_CASE("no tile divides it") {
  course::Judge judge;
  for (Size size : sizes(judge))
    call(judge, ask(judge, size), size);
  judge.run();
}

TEST_CASE("numbers that are special") {
  course::Judge judge;
  const Size size = any_size(judge);
  const auto [m, n, k] = size;
  call(ask(judge, size, ", infinite numbers in A and B"), size,
       with_infinite_numbers(judge, quarters(judge, m, k), k),
       with_infinite_numbers(judge, quarters(judge, k, n), n));
  const Question zeros_in_a = ask(judge, size, ", zeros in A, and infinite numbers in B"),
                 zeros_in_b = ask(judge, size, ", infinite numbers in A, and zeros in B");
  const Matrix a = quarters(judge, m, k), b = quarters(judge, k, n);
  for (const Matrix &zeros : {with_zeros(judge, a), Matrix(a.size())})
    call(zeros_in_a, size, zeros, with_infinite_numbers(judge, b, n));
  for (const Matrix &zeros : {with_zeros(judge, b), Matrix(b.size())})
    call(zeros_in_b, size, with_infinite_numbers(judge, a, k), zeros);
  const Question edges = ask(judge, size, ", infinite numbers at the edges of A, then of B");
  call(edges, size, with_infinite_edges(a, k), Matrix(b.size(), 0.5f));
  call(edges, size, Matrix(a.size(), 0.5f), with_infinite_edges(b, n));
  call(ask(judge, size, ", numbers of all digits"), size, fractions(judge, m, k),
       fractions(judge, k, n), rounding(k));
  judge.run();
}

TEST_CASE("several products in one process; and a kernel that does nothing") {
  course::Judge judge;
  ask_several(judge, any_size(judge), ask,
              [](Question question, Size size, const Matrix &a, const Matrix &b) {
                call(question, size, a, b);
              });
  judge.run();
}

TEST_CASE("as long and as large as they may be", "[large]") {
  course::Judge judge;
  for (Size size : large_sizes(judge))
    call(judge, ask(judge, size), size);
  judge.run();
}
