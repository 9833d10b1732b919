// Judges exercise 08-matmul/gram-naive: as gram, but its loads are not counted.
#include "exercises/08-matmul/gram-naive.hpp"
#include "tests/08-matmul/gram_judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <type_traits>

static_assert(std::is_same_v<decltype(gram_naive), decltype(gram)>);

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

TEST_CASE("G is far longer than wide", "[large]") {
  course::Judge judge;
  gram_judge::ask_long(judge);
  judge.run();
}
