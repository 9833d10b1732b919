// Judges exercise 02-thread-indexing/any-grid: the counts tell a cell that was left out from one
// that was visited twice.
#include "common/grader/judge/judge.hpp"
#include "exercises/02-thread-indexing/any-grid.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(any_grid)>;

void ask_also(course::Judge &judge, Question &question, int n, int grid, int block) {
  const auto before = judge.numbers<int>(n, -2'000'000'000, 2'000'000'000);
  auto expected = before;
  for (int &visits : expected)
    ++visits;
  question.with(course::in_out(before, expected), n, grid, block);
}

std::string title(int n, int grid, int block) {
  return std::to_string(n) + " cells, " + std::to_string(grid) + " blocks of " +
         std::to_string(block) + " threads";
}

Question ask(course::Judge &judge, int n, int grid, int block) {
  auto question = judge.ask<decltype(any_grid)>(title(n, grid, block));
  question.launches_grid_of(grid).launches_blocks_of(block).launches_at_most(1);
  ask_also(judge, question, n, grid, block);
  return question;
}

} // namespace

TEST_CASE("each cell is visited once, by fewer threads than cells") {
  course::Judge judge;
  for (int n : judge.sizes(400'000))
    ask(judge, n, judge.number(1, 1 + n / 500), judge.number(1, 300));
  const int n = judge.number(1000, 5000);
  ask(judge, judge.number(66'000, 70'000), 1, 1);
  ask(judge, n, judge.number(2, 50), 1);
  ask(judge, n, 1, judge.number(2, 1024));
  ask(judge, 3 * 64 * 11, 3, 64); // each thread has as many
  judge.run();
}

TEST_CASE("each cell is visited once, by more threads than cells") {
  course::Judge judge;
  ask(judge, judge.number(2, 900), judge.number(2, 9), 1024);
  ask(judge, judge.number(100, 900), judge.number(65'536, 100'000), judge.number(1, 2));
  ask(judge, 1, judge.number(1, 9), judge.number(1, 1024));
  judge.run();
}

TEST_CASE("other grids, one after the other; and a kernel that does nothing") {
  course::Judge judge;
  const int n = judge.number(1000, 3000);
  auto grids = judge.ask<decltype(any_grid)>(title(n, 7, 32) + ", then other numbers of each");
  ask_also(judge, grids, n, 7, 32);
  ask_also(judge, grids, n, 2, 32);
  ask_also(judge, grids, n / 2, 2, 32);
  ask_also(judge, grids, n / 2, 2, 96);
  ask_also(judge, grids, n, 7, 32);
  auto changed = judge.ask<decltype(any_grid)>(title(n, 7, 32) + ", and one count has changed");
  auto visits = judge.numbers<int>(n, 0, 9), expected = visits;
  for (int &count : expected)
    ++count;
  changed.with(course::in_out(visits, expected), n, 7, 32);
  const int cell = judge.number(1, n - 2);
  visits[cell] = 10, expected[cell] = 11;
  changed.with(course::in_out(visits, expected), n, 7, 32);
  const int odd = 32 * judge.number(30, 90) + 31;
  auto idle = judge.ask<decltype(any_grid)>(title(odd, 7, 32) + ", the kernel does nothing");
  ask_also(judge, idle, odd, 7, 32);
  idle.without_kernels();
  judge.run();
}

// Their indices need more digits than a float has.
TEST_CASE("more cells than a float counts", "[large]") {
  course::Judge judge;
  const int n = (1 << 24) + 1, block = 1, grid = 1; // nor the steps of this thread
  judge.ask<decltype(any_grid)>(title(n, grid, block))
      .with(course::in_out(std::vector<int>(n, 4), std::vector<int>(n, 5)), n, grid, block)
      .launches_grid_of(grid)
      .launches_blocks_of(block)
      .launches_at_most(1);
  ask(judge, 16'601 * 1024 + 1, 99'999, 170); // as many cells and threads as there may be
  judge.run();
}
