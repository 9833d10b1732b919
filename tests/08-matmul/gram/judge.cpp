// Judges exercise 08-matmul/gram: samples and columns of all families of sizes, numbers whose bits
// have to agree; and the kernel's loads are counted.
#include "tests/08-matmul/gram_judge.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("G = X^T Y") {
  course::Judge judge;
  gram_judge::ask_sizes(judge);
  judge.run();
}

TEST_CASE("numbers that are special") {
  course::Judge judge;
  gram_judge::ask_special(judge);
  judge.run();
}

TEST_CASE("several products in one process; and a kernel that does nothing") {
  course::Judge judge;
  gram_judge::ask_several_products(judge);
  judge.run();
}

TEST_CASE("each number is loaded once for each tile of G") {
  course::Judge judge;
  const auto a_few = [&](int from) { return from + judge.number(1, 5); };
  for (Size size : {Size{64, 32, 320}, gram_judge::any_size(judge), gram_judge::any_size(judge),
                    Size{a_few(32), a_few(32), 300}, // a tile of few columns
                    Size{a_few(0), a_few(0), 900}, Size{70, 1, 200}, Size{50, 50, a_few(16)}}) {
    const std::uint64_t m = size.m, n = size.n, samples = size.k;
    const std::uint64_t x_loads = samples * m * ((n + 31) / 32),
                        y_loads = samples * n * ((m + 31) / 32);
    const std::uint64_t g_loads = 8 * m * n; // where several blocks add to a tile
    auto question = gram_judge::ask(judge, size, ", counted");
    gram_judge::call(judge, question, size);
    question.at_most(
        &course::Work::global_loads, x_loads + y_loads + g_loads,
        "the sums read X and Y themselves where they should read the tiles, or a thread "
        "copies numbers that another one copies, too");
  }
  judge.run();
}

TEST_CASE("G is far longer than wide", "[large]") {
  course::Judge judge;
  gram_judge::ask_long(judge);
  judge.run();
}
