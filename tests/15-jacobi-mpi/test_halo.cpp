#include "exercises/15-jacobi-mpi/halo.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

// The rows of each rank, down to one.
TEST_CASE("the halo of each rank's part") {
  course::Judge judge;
  for (const auto &[parts, columns] :
       std::vector<std::pair<std::vector<int>, int>>{{{1}, 1},
                                                     {{4}, 33},
                                                     {{1, 1}, 7},
                                                     {{3, 5}, 130},
                                                     {{2, 1, 4}, 65},
                                                     {{1, 1, 1, 1}, 3},
                                                     {{4, 1, 2, 3}, 257}}) {
    std::string title;
    int all = 0;
    for (int rows : parts) {
      title += (title.empty() ? "" : " + ") + std::to_string(rows);
      all += rows;
    }
    const auto field = judge.numbers<float>(std::size_t(all) * columns);
    auto question = judge.ask<decltype(halo)>(title + " rows of " + std::to_string(columns))
                        .ranks(int(parts.size()));
    int first = 0;
    for (int rows : parts) {
      auto expected = judge.numbers<float>(std::size_t(rows + 2) * columns);
      auto before = expected; // in the halo: what is to be overwritten
      for (int row = 0; row < rows + 2; ++row) {
        const int of_all = std::clamp(first + row - 1, 0, all - 1);
        std::copy_n(&field[std::size_t(of_all) * columns], columns,
                    &expected[std::size_t(row) * columns]);
      }
      std::copy_n(&expected[columns], rows * columns, &before[columns]);
      question.with(rows, columns, course::in_out(before, expected).shape(columns));
      first += rows;
    }
  }
  judge.run();
}
