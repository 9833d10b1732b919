#include "exercises/15-jacobi-mpi/everyone-sends-first.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <numeric>

TEST_CASE("lists go round the ring") {
  course::Judge judge;
  for (const auto &[ranks, n, times] : std::vector<std::tuple<int, int, int>>{
           {1, 1, 1}, {2, 3, 1}, {2, 70'001, 3}, {3, 1, 2}, {3, 50'000, 5}, {4, 1001, 3}}) {
    auto question = judge
                        .ask<decltype(everyone_sends_first)>(
                            std::to_string(ranks) + " ranks, lists of " + std::to_string(n) +
                            ", handed on " + std::to_string(times) + " times")
                        .ranks(ranks);
    // Two calls: what is left of the first must not disturb the second.
    for (int call = 0; call < 2; ++call) {
      std::vector<std::vector<double>> lists;
      double sum = 0, size = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        lists.push_back(judge.numbers<double>(n));
        sum = std::accumulate(lists[rank].begin(), lists[rank].end(), sum);
        for (double number : lists[rank])
          size += std::abs(number);
      }
      for (int rank = 0; rank < ranks; ++rank) {
        const int from = (rank + ranks * times - times) % ranks;
        question.with(n, times, course::in_out(lists[rank], lists[from]))
            .returns(sum, 1e-13 * size);
      }
    }
  }
  judge.run();
}
