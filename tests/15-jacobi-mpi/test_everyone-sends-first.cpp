#include "exercises/15-jacobi-mpi/everyone-sends-first.hpp"
#include "tests/15-jacobi-mpi/parts.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

TEST_CASE("lists go round the ring") {
  course::Judge judge;
  for (int ranks : {3, 1, 2, 4}) { // three first: there a deadlock shows its circle
    auto question = judge.ask<decltype(everyone_sends_first)>(course::title(ranks))
                        .ranks(ranks)
                        .needs_no_kernel();
    for (const auto &[n, times] : {std::pair{3, 1}, std::pair{50'001, 5}}) {
      const auto lists = judge.numbers<double>(std::size_t(ranks) * n);
      double sum = 0, size = 0;
      for (double number : lists) {
        sum += number;
        size += std::abs(number);
      }
      for (int rank = 0; rank < ranks; ++rank) {
        const int from = (rank + ranks * times - times) % ranks;
        question
            .with(n, times,
                  course::in_out(course::part_of(lists, std::size_t(rank) * n, n),
                                 course::part_of(lists, std::size_t(from) * n, n)))
            .returns(sum, 1e-13 * size);
      }
    }
  }
  judge.run();
}
