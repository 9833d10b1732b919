// Judges exercise 15-jacobi-mpi/my-rows: any number of ranks; rows that they divide evenly, that
// they do not, as many as ranks, and so many that an int holds no product of them.
#include "exercises/15-jacobi-mpi/my-rows.hpp"
#include "tests/15-jacobi-mpi/parts.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

std::string text_of(Rows rows) {
  return std::to_string(rows.count) + " rows, starting at row " + std::to_string(rows.first);
}

void ask(course::Judge &judge, int ranks, std::initializer_list<int> meshes) {
  auto question = judge.ask<decltype(my_rows)>(course::title(ranks)).ranks(ranks).needs_no_kernel();
  for (const int ny : meshes)
    for (int rank = 0; rank < ranks; ++rank) {
      const auto first_of = [&](long long r) { return int(r * ny / ranks); };
      const Rows right{first_of(rank), first_of(rank + 1) - first_of(rank)};
      question.with(ny).returns_such_that(
          text_of(right),
          [right](Rows rows) { return rows.first == right.first && rows.count == right.count; },
          text_of);
    }
}

} // namespace

TEST_CASE("the rows of each rank") {
  course::Judge judge;
  for (int ranks : course::rank_counts(judge))
    ask(judge, ranks,
        {ranks * judge.number(2, 20), ranks * judge.number(5, 90) + ranks - 1, ranks,
         judge.number(1'900'000'000, 2'100'000'000)});
  ask(judge, 7, {61, 7 * judge.number(2, 20) + 1}); // 7 times 61 / 7 is below 61 in double
  ask(judge, 10, {90});                             // 90 times 7 / 10.0 is below 63
  judge.run();
}
