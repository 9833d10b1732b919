// Judges exercise 15-jacobi-mpi/bar: any number of ranks and of cells, and numbers that no step
// rounds, so that bits have to agree.
#include "common/grader/judge/judge.hpp"
#include "exercises/15-jacobi-mpi/bar.hpp"
#include "tests/15-jacobi-mpi/parts.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

// Whole numbers of 30 bits times a power of two: each step adds a bit, and a double has 53.
std::vector<double> exact_numbers(course::Judge &judge, int count) {
  const int exponent = judge.number(-100, 100);
  std::vector<double> numbers = judge.numbers<double>(count);
  for (double &number : numbers)
    number = std::ldexp(std::round(std::ldexp(number, 30)), exponent);
  return numbers;
}

} // namespace

TEST_CASE("a bar spread over ranks") {
  course::Judge judge;
  for (int ranks : course::rank_counts(judge)) {
    auto question = judge.ask<decltype(bar)>(course::title(ranks)).ranks(ranks).needs_no_kernel();
    for (const course::Parts &parts : course::parts_of_calls(judge, ranks)) {
      const int all = course::sum(parts), steps = judge.number(1, 15);
      const auto numbers = exact_numbers(judge, all + 2);
      const double left = numbers[all], right = numbers[all + 1];
      const auto before = course::part_of(numbers, 0, all);
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
            .with(
                n, steps, left, right,
                course::in_out(course::part_of(before, first, n), course::part_of(after, first, n)))
            .returns(change);
        first += n;
      }
    }
  }
  judge.run();
}

TEST_CASE("a rank where nothing changes") {
  course::Judge judge;
  auto question = judge.ask<decltype(bar)>(course::title(2) + ", one of them without any change")
                      .ranks(2)
                      .needs_no_kernel();
  const std::vector<double> rest{0, 0, 0}, after{0.5, 0, 0};
  question.with(3, 1, 1, 0, course::in_out(rest, after)).returns(0.5);
  question.with(3, 1, 1, 0, course::in_out(rest, rest)).returns(0.5);
  const int steps = judge.number(60, 90); // of a bar at rest: no number is rounded
  auto still = judge.ask<decltype(bar)>(course::title(2) + ", nothing changes in any step")
                   .ranks(2)
                   .needs_no_kernel();
  for (const int n : {1, 2})
    still
        .with(n, steps, 2.5, 2.5,
              course::in_out(std::vector<double>(n, 2.5), std::vector<double>(n, 2.5)))
        .returns(0);
  judge.run();
}
