// Judges exercise 09-stencil/cold-corner: few steps on plates of all shapes, where a cell left out,
// a row taken for a column and a field one step old show, with numbers that no step rounds; then
// the end by the tolerance, which lies between the changes of two steps, or is one.
#include "exercises/09-stencil/cold-corner.hpp"
#include "tests/09-stencil/plate.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(cold_corner)>;

Question ask(course::Judge &judge, const Plate &plate, const std::string &also) {
  return judge.ask<decltype(cold_corner)>(plate.size() + ", " + also);
}

void call(Question question, const Plate &before, int most, double tolerance, Rounding rounding) {
  Plate after = before;
  after.solve(most, tolerance);
  question
      .with(course::in_out(before.u, after.u, rounding.cell).shape(before.nx), before.nx, before.ny,
            most, tolerance)
      .returns_such_that(
          text_of(after), [after, rounding](Solve solve) { return agrees(after, solve, rounding); },
          text_of<Solve>);
}

// Very large, very small and usual numbers, with which no step rounds.
Plate exact_plate(course::Judge &judge, int nx, int ny, int steps) {
  const int exponent = judge.number(-50, 20);
  return {nx, ny, exact_numbers(judge, std::size_t(nx) * ny, steps, exponent),
          std::vector<float>(std::size_t(nx) * ny)};
}

Plate any_plate(course::Judge &judge) {
  const int nx = judge.number(33, 60), ny = judge.number(9, 40);
  return {nx, ny, judge.numbers<float>(nx * ny), std::vector<float>(nx * ny)};
}

std::string text_of_steps(int steps) {
  return std::to_string(steps) + (steps == 1 ? " step" : " steps");
}

} // namespace

TEST_CASE("a few steps") {
  course::Judge judge;
  int steps = judge.number(1, 6);
  for (auto [nx, ny] : plate_sizes(judge)) {
    const Plate plate = exact_plate(judge, nx, ny, steps);
    call(ask(judge, plate, text_of_steps(steps)), plate, steps, 0, exact);
    steps = steps % 6 + 1; // odd and even ones
  }
  judge.run();
}

TEST_CASE("until a step changes little") {
  course::Judge judge;
  ask_until(judge, any_plate, exact_plate, ask, call);
  judge.run();
}

TEST_CASE("one plate after the other; and who does the work") {
  course::Judge judge;
  ask_several(judge, exact_plate, ask, call);
  judge.run();
}

TEST_CASE("the largest plate", "[large]") {
  course::Judge judge;
  const Plate plate = large_plate();
  call(ask(judge, plate, "1 step"), plate, 1, 0, exact);
  judge.run();
}
