// Judges exercise 15-jacobi-mpi/halo: any number of ranks, of rows and of columns; copies, so every
// bit has to agree, also of numbers that are none.
#include "common/grader/judge/judge.hpp"
#include "exercises/15-jacobi-mpi/halo.hpp"
#include "tests/15-jacobi-mpi/parts.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>

namespace {

void ask_also(course::Judge &judge, course::Question<decltype(halo)> question, int nx,
              const course::Parts &parts, bool zeros = false) {
  const int all = course::sum(parts);
  auto field = judge.sprinkled(judge.numbers<float>(std::size_t(all) * nx),
                               {INFINITY, -INFINITY, NAN, 1e-40f, 3e38f});
  if (zeros) // is no sign that there is no neighbour
    for (int rank = 0, end = 0; rank < int(parts.size()); ++rank) {
      end += parts[rank];
      const int row = end - (rank % 2 == 0); // its last one, or the first one of the next rank
      if (row < all)
        std::fill_n(field.begin() + std::size_t(row) * nx, nx, 0.0f);
    }
  int first = 0;
  for (int rows : parts) {
    auto before = judge.numbers<float>(std::size_t(rows + 2) * nx); // the halo, too
    std::vector<float> after;
    for (int row = -1; row <= rows; ++row) {
      const auto values =
          course::part_of(field, std::size_t(std::clamp(first + row, 0, all - 1)) * nx, nx);
      after.insert(after.end(), values.begin(), values.end());
    }
    std::copy(after.begin() + nx, after.end() - nx, before.begin() + nx);
    question.with(nx, rows, course::in_out(before, after).shape(nx));
    first += rows;
  }
}

} // namespace

TEST_CASE("the halo of each rank's part") {
  course::Judge judge;
  const std::vector<int> columns = judge.sizes(300); // fewer than there are calls
  std::size_t call = 0;
  for (int ranks : course::rank_counts(judge)) {
    auto question = judge.ask<decltype(halo)>(course::title(ranks)).ranks(ranks).needs_no_kernel();
    for (const course::Parts &parts : course::parts_of_calls(judge, ranks))
      ask_also(judge, question, columns[call++ % columns.size()], parts);
    const course::Parts parts(ranks, judge.number(2, 5));
    for (bool zeros : {false, true}) // the same size twice
      ask_also(judge, question, columns[call % columns.size()], parts, zeros);
  }
  judge.run();
}

TEST_CASE("long rows, many rows, and both", "[large]") {
  course::Judge judge;
  auto question =
      judge.ask<decltype(halo)>(course::title(2) + ", long sides").ranks(2).needs_no_kernel();
  const auto many = [&] { return judge.number(49'500, 50'000); };
  ask_also(judge, question, many(), {1, 20});
  ask_also(judge, question, judge.number(1, 3), {many(), 1});
  ask_also(judge, question, judge.number(1'040, 1'045), {judge.number(1'040, 1'045), 2});
  judge.run();
}
