#include "exercises/15-jacobi-mpi/bar.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

// The cells of each rank, from none of which the number of another follows; down to one.
TEST_CASE("a bar spread over ranks") {
  course::Judge judge;
  for (const std::vector<int> &parts : std::vector<std::vector<int>>{
           {1}, {9}, {1, 1}, {5, 2}, {1, 4, 3}, {1, 1, 1, 1}, {6, 1, 2, 5}}) {
    std::string title;
    int all = 0;
    for (int n : parts) {
      title += (title.empty() ? "" : " + ") + std::to_string(n);
      all += n;
    }
    auto question = judge.ask<decltype(bar)>(title + " cells").ranks(int(parts.size()));
    // Two calls, the second with other numbers: nothing may be left of the first.
    for (int steps : {7, 1}) {
      const double left = judge.number(1.0, 2.0), right = judge.number(-2.0, -1.0);
      const auto before = judge.numbers<double>(all);
      auto expected = before;
      double change = 0;
      for (int step = 0; step < steps; ++step) {
        const auto old = expected;
        change = 0;
        for (int i = 0; i < all; ++i) {
          expected[i] = 0.5 * ((i > 0 ? old[i - 1] : left) + (i < all - 1 ? old[i + 1] : right));
          change = std::max(change, std::abs(expected[i] - old[i]));
        }
      }
      int first = 0;
      for (int n : parts) {
        const auto of = [&](const std::vector<double> &cells) {
          return std::vector<double>(cells.begin() + first, cells.begin() + first + n);
        };
        question.with(n, steps, left, right, course::in_out(of(before), of(expected), 1e-14))
            .returns(change, 1e-14);
        first += n;
      }
    }
  }
  judge.run();
}
