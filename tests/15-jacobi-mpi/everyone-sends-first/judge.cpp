// Judges exercise 15-jacobi-mpi/everyone-sends-first: any number of ranks, long lists and short
// ones, handed on once, until they are at home again, and farther.
#include "common/grader/judge/judge.hpp"
#include "exercises/15-jacobi-mpi/everyone-sends-first.hpp"
#include "tests/15-jacobi-mpi/parts.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

TEST_CASE("lists go round the ring") {
  course::Judge judge;
  auto counts = course::rank_counts(judge);
  counts[0] = 3; // three first: there a deadlock shows its circle
  for (int ranks : counts) {
    auto question = judge.ask<decltype(everyone_sends_first)>(course::title(ranks))
                        .ranks(ranks)
                        .needs_no_kernel();
    const int large = judge.number(20'000, 32'000), small = judge.number(2, 31);
    for (const auto &[n, times] : {std::pair{small, 1},
                                   {large, judge.number(ranks + 1, ranks + 4)},
                                   {large, ranks},
                                   {small, ranks * judge.number(4, 6) + 1},
                                   {1, ranks == 2 ? judge.number(995, 1000) : 3}}) {
      // Numbers of 31 bits: a double holds all their sums, in any order.
      std::vector<double> lists(std::size_t(ranks) * n);
      for (double &number : lists)
        number = judge.number<int>(-1'000'000'000, 1'000'000'000) / 1024.0;
      const double sum = std::accumulate(lists.begin(), lists.end(), 0.0);
      for (int rank = 0; rank < ranks; ++rank) {
        const int from = (rank + ranks * times - times) % ranks;
        question
            .with(n, times,
                  course::in_out(course::part_of(lists, std::size_t(rank) * n, n),
                                 course::part_of(lists, std::size_t(from) * n, n))
                      .often(std::vector<double>(n),
                             "no message has arrived in `received`: a "
                             "message is not sent and received in one array"))
            .returns(sum);
      }
    }
  }
  judge.run();
}

TEST_CASE("more than a million numbers", "[large]") {
  course::Judge judge;
  const int n = (1 << 20) + judge.number(1, 999);
  auto question = judge.ask<decltype(everyone_sends_first)>(course::title(2) + ", long lists")
                      .ranks(2)
                      .needs_no_kernel();
  std::vector<double> first(n), second(n);
  for (std::vector<double> *list : {&first, &second})
    for (double &number : *list)
      number = judge.number<int>(-1'000'000'000, 1'000'000'000) / 1024.0;
  for (int times : {1, 2}) { // the same lists
    const double sum = std::accumulate(second.begin(), second.end(),
                                       std::accumulate(first.begin(), first.end(), 0.0));
    question.with(n, times, course::in_out(first, times == 1 ? second : first)).returns(sum);
    question.with(n, times, course::in_out(second, times == 1 ? first : second)).returns(sum);
  }
  judge.run();
}
