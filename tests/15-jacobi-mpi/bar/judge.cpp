// Judges exercise 15-jacobi-mpi/bar: any number of ranks and of cells, and numbers that no step
// rounds, so that bits have to agree.
#include "common/grader/judge/judge.hpp"
#include "exercises/15-jacobi-mpi/bar.hpp"
#include "tests/15-jacobi-mpi/parts.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

// Whole numbers of 30 bits times a power of two, from 1e-30 to 1e30: each step adds a bit, and a
// double has 53.
std::vector<double> exact_numbers(course::Judge &judge, int count, int exponent) {
  std::vector<double> numbers = judge.numbers<double>(count);
  for (double &number : numbers)
    number = std::ldexp(std::round(std::ldexp(number, 30)), exponent);
  return numbers;
}

// A call on every rank, whose parts of the bar these are.
void ask_also(course::Question<decltype(bar)> question, const course::Parts &parts, int steps,
              double left, double right, const std::vector<double> &before) {
  const int all = course::sum(parts);
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
              course::in_out(course::part_of(before, first, n), course::part_of(after, first, n)))
        .returns(change);
    first += n;
  }
}

void ask_also(course::Judge &judge, course::Question<decltype(bar)> question,
              const course::Parts &parts, int steps) {
  const int all = course::sum(parts);
  const auto numbers = exact_numbers(judge, all + 2, judge.number(-99, 69));
  ask_also(question, parts, steps, numbers[all], numbers[all + 1],
           course::part_of(numbers, 0, all));
}

course::Question<decltype(bar)> ask(course::Judge &judge, int ranks, const std::string &also = "") {
  return judge.ask<decltype(bar)>(course::title(ranks) + also).ranks(ranks).needs_no_kernel();
}

} // namespace

TEST_CASE("a bar spread over ranks") {
  course::Judge judge;
  for (int ranks : course::rank_counts(judge)) {
    auto question = ask(judge, ranks);
    for (const course::Parts &parts : course::parts_of_calls(judge, ranks))
      ask_also(judge, question, parts, judge.number(1, 15));
  }
  judge.run();
}

TEST_CASE("a rank where nothing changes") {
  course::Judge judge;
  ask_also(ask(judge, 2, ", one of them without any change"), {3, 3}, 1, 1, 0,
           std::vector<double>(6));
  ask_also(ask(judge, 3, ", two of them without any change in the first steps"), {2, 2, 3},
           judge.number(6, 15), 1, 0, std::vector<double>(7));
  ask_also(ask(judge, 2, ", nothing changes in any step"), {1, 2}, judge.number(99, 100), 2.5, 2.5,
           std::vector<double>(3, 2.5)); // at rest, so no number is rounded
  const auto again = ask(judge, 2, ", then one argument is another, then one cell");
  auto cells = exact_numbers(judge, 60, -99); // tiny, and a step is still a step
  const double left = cells[0], right = cells[1];
  ask_also(again, {30, 30}, 3, left, right, cells);
  ask_also(again, {30, 30}, 3, left, -right, cells);
  ask_also(again, {30, 30}, 4, left, -right, cells);
  cells[judge.number(5, 25)] *= -1;
  ask_also(again, {30, 30}, 4, left, -right, cells);
  judge.run();
}

TEST_CASE("a long bar", "[large]") {
  course::Judge judge;
  ask_also(judge, ask(judge, 3, ", a long bar"),
           {judge.number(1'025, 2'000), judge.number(99'000, 100'000), 1}, 3);
  judge.run();
}
