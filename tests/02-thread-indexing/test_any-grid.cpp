// Judges exercise 02-thread-indexing/any-grid: the counts tell a cell that was left out from one
// that was visited twice.
#include "exercises/02-thread-indexing/any-grid.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

void ask(course::Judge &judge, int n, int grid, int block) {
  const auto before = judge.numbers<int>(n, 0, 99);
  auto expected = before;
  for (int &visits : expected)
    ++visits;
  judge
      .ask<decltype(any_grid)>(std::to_string(n) + " cells, " + std::to_string(grid) +
                               " blocks of " + std::to_string(block) + " threads")
      .with(course::in_out(before, expected), n, grid, block);
}

} // namespace

TEST_CASE("each cell is visited once") {
  course::Judge judge;
  ask(judge, 192, 3, 64);
  ask(judge, 301, 1, 64);
  ask(judge, 1003, 7, 32);
  ask(judge, 10'007, 3, 100);
  ask(judge, 100, 50, 64);
  ask(judge, 1, 2, 1024);
  ask(judge, 1501, 200, 1);
  ask(judge, 1501, 1, 1);
  ask(judge, judge.number(1000, 5000), judge.number(2, 40), judge.number(2, 200));
  judge.run();
}
