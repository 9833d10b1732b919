#include "exercises/15-jacobi-mpi/bar.hpp"
#include "tests/15-jacobi-mpi/parts.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("a bar spread over ranks") {
  course::Judge judge;
  for (const auto &calls : course::all_parts) {
    const int ranks = int(calls[0].size());
    auto question = judge.ask<decltype(bar)>(course::title(ranks)).ranks(ranks).needs_no_kernel();
    int steps = 7;
    for (const course::Parts &parts : calls) {
      const int all = course::sum(parts);
      const double left = judge.number(1.0, 2.0), right = judge.number(-2.0, -1.0);
      const auto before = judge.numbers<double>(all);
      auto after = before;
      double change = 0;
      for (int step = 0; step < steps; ++step) {
        const auto old = after;
        change = 0;
        for (int i = 0; i < all; ++i) {
          after[i] = 0.5 * ((i > 0 ? old[i - 1] : left) + (i < all - 1 ? old[i + 1] : right));
          change = std::max(change, std::abs(after[i] - old[i]));
        }
      }
      int first = 0;
      for (int n : parts) {
        question
            .with(n, steps, left, right,
                  course::in_out(course::part_of(before, first, n),
                                 course::part_of(after, first, n), 1e-14))
            .returns(change, 1e-14);
        first += n;
      }
      steps = 2;
    }
  }
  judge.run();
}
