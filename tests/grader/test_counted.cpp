#include "common/grader/judge/judge.hpp"
#include "tests/grader/twice.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE(
    "twice, with one load and one store for each number, coalesced and without bank conflicts") {
  course::Judge judge;
  for (int n : {1, 257, 1000}) {
    auto in = judge.numbers<int>(n, 1, 1000);
    auto expected = in;
    for (int &value : expected)
      value *= 2;
    judge.ask<decltype(twice)>(std::to_string(n) + " numbers")
        .with(n, in, course::output(expected))
        .with(n, in, course::output(expected))
        .at_most(&course::Work::global_loads, 2 * n, "a number is read more than once.")
        .at_most(&course::Work::global_store_bytes, 2 * n * sizeof(int), "a sum kept in memory.")
        .at_most(&course::Work::global_load_sectors, 2 * (n + 7) / 8 + 2,
                 "neighbouring threads load numbers that are far apart.")
        .at_most(&course::Work::shared_load_conflicts, 0,
                 "the lanes of a warp read a column of a tile of 32 x 32.");
  }
  judge.run();
}
