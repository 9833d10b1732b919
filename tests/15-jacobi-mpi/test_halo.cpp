#include "exercises/15-jacobi-mpi/halo.hpp"
#include "tests/15-jacobi-mpi/parts.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

TEST_CASE("the halo of each rank's part") {
  course::Judge judge;
  for (const auto &calls : course::all_parts) {
    const int ranks = int(calls[0].size());
    auto question = judge.ask<decltype(halo)>(course::title(ranks)).ranks(ranks).needs_no_kernel();
    for (const course::Parts &parts : calls) {
      const int all = course::sum(parts), columns = judge.number(30, 260);
      const auto field = judge.numbers<float>(std::size_t(all) * columns);
      int first = 0;
      for (int rows : parts) {
        auto before = judge.numbers<float>(std::size_t(rows + 2) * columns); // the halo, too
        std::vector<float> after;
        for (int row = -1; row <= rows; ++row) {
          const auto values = course::part_of(
              field, std::size_t(std::clamp(first + row, 0, all - 1)) * columns, columns);
          after.insert(after.end(), values.begin(), values.end());
        }
        std::copy(after.begin() + columns, after.end() - columns, before.begin() + columns);
        question.with(columns, rows, course::in_out(before, after).shape(columns));
        first += rows;
      }
    }
  }
  judge.run();
}
