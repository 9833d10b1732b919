// Judges exercise 08-matmul/gram: samples and columns of all families of sizes, numbers whose bits
// have to agree; and the kernel's loads are counted.
#include "exercises/08-matmul/gram.hpp"
#include "tests/08-matmul/matrices.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(gram)>;

// Of a size here m and n are columns of X and Y, and k is the number of samples.
Question ask(course::Judge &judge, Size size, const std::string &also = "") {
  return judge.ask<decltype(gram)>(std::to_string(size.k) + " samples, G (" +
                                   std::to_string(size.m) + " x " + std::to_string(size.n) + ")" +
                                   also);
}

void call(Question question, Size size, const Matrix &x, const Matrix &y, double tolerance = 0) {
  Matrix transposed(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    transposed[i % size.m * size.k + i / size.m] = x[i];
  const std::vector<double> sums = product(size, transposed, y);
  question.with(size.k, size.m, size.n, x, y,
                course::output(Matrix(sums.begin(), sums.end()), tolerance).shape(size.n));
}

// Very large, very small and usual numbers; nothing is rounded.
void call(course::Judge &judge, Question question, Size size) {
  const Exponents of = exponents(judge);
  call(question, size, quarters(judge, size.k, size.m, of.first),
       quarters(judge, size.k, size.n, of.second));
}

Size any_size(course::Judge &judge) { // none of whose tiles is a whole one
  const auto columns = [&] { return 32 * judge.number(1, 2) + judge.number(5, 27); };
  return {columns(), columns(), 16 * judge.number(2, 8) + judge.number(11, 15)};
}

} // namespace

TEST_CASE("G = X^T Y") {
  course::Judge judge;
  for (Size size : sizes(judge))
    call(judge, ask(judge, size), size);
  const Size whole{32 * judge.number(1, 2), 32 * judge.number(1, 3), 16 * judge.number(1, 4)};
  call(judge, ask(judge, whole), whole);
  judge.run();
}

TEST_CASE("numbers that are special") {
  course::Judge judge;
  const Size size = any_size(judge);
  const auto [m, n, samples] = size;
  const Matrix x = quarters(judge, samples, m), y = quarters(judge, samples, n);
  call(ask(judge, size, ", infinite numbers in X and Y"), size, with_infinite_numbers(judge, x, m),
       with_infinite_numbers(judge, y, n));
  const Question zeros_in_x = ask(judge, size, ", zeros in X, and infinite numbers in Y"),
                 zeros_in_y = ask(judge, size, ", infinite numbers in X, and zeros in Y");
  for (const Matrix &zeros : {with_zeros(judge, x), Matrix(x.size())})
    call(zeros_in_x, size, zeros, with_infinite_numbers(judge, y, n));
  for (const Matrix &zeros : {with_zeros(judge, y), Matrix(y.size())})
    call(zeros_in_y, size, with_infinite_numbers(judge, x, m), zeros);
  const Question edges = ask(judge, size, ", infinite numbers in the last sample");
  call(edges, size, with_infinite_edges(x, m), Matrix(y.size(), 0.5f));
  call(edges, size, Matrix(x.size(), 0.5f), with_infinite_edges(y, n));
  call(ask(judge, size, ", numbers of all digits"), size, fractions(judge, samples, m),
       fractions(judge, samples, n), rounding(samples));
  const Size square{m, m, samples};
  call(ask(judge, square, ", X = Y"), square, x, x);
  call(ask(judge, square, ", X not Y"), square, x, quarters(judge, samples, m));
  judge.run();
}

TEST_CASE("several products in one process; and a kernel that does nothing") {
  course::Judge judge;
  ask_several(judge, any_size(judge), ask,
              [](Question question, Size size, const Matrix &x, const Matrix &y) {
                call(question, size, x, y);
              });
  judge.run();
}

TEST_CASE("each tile is loaded once for each tile of G") {
  course::Judge judge;
  const auto a_few = [&](int from) { return from + judge.number(1, 5); };
  for (Size size : {Size{64, 32, 320}, any_size(judge), any_size(judge),
                    Size{a_few(32), a_few(32), 300}, // a tile of few columns
                    Size{a_few(20), a_few(20), 900}, Size{70, 20, 200}, Size{50, 50, a_few(11)}}) {
    const std::uint64_t g_loads = 8ull * size.m * size.n; // several blocks may add to a tile
    auto question = ask(judge, size, ", counted");
    call(judge, question, size);
    question.at_most(
        &course::Work::global_loads, loads_of_tiles(size, 32, 32, 16) + g_loads,
        "the sums read X and Y themselves where they should read the tiles, or a thread "
        "copies numbers that another one copies, too");
  }
  judge.run();
}

TEST_CASE("as long and as large as they may be", "[large]") {
  course::Judge judge;
  for (Size size : large_sizes(judge))
    call(judge, ask(judge, size), size);
  judge.run();
}
