// Judges exercise 09-stencil/cold-corner: few steps on plates that are wide and tall, where a cell
// left out, a row taken for a column and a field one step old show; and the end by the tolerance.
#include "exercises/09-stencil/cold-corner.hpp"
#include "tests/09-stencil/plate.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace {

Plate random_plate(course::Judge &judge, int nx, int ny) {
  return {nx, ny, judge.numbers<float>(nx * ny), std::vector<float>(nx * ny)};
}

using Question = course::Question<decltype(cold_corner)>;

void call(Question question, const Plate &before, int most, double tolerance) {
  Plate after = before;
  after.solve(most, tolerance);
  question
      .with(course::in_out(before.u, after.u, plate_tolerance).shape(before.nx), before.nx,
            before.ny, most, tolerance)
      .returns_such_that(
          text_of(after), [after](Solve solve) { return after.agrees(solve); }, text_of<Solve>);
}

void ask(course::Judge &judge, const std::string &title, const Plate &before, int most,
         double tolerance) {
  call(judge.ask<decltype(cold_corner)>(std::to_string(before.nx) + " x " +
                                        std::to_string(before.ny) + " cells, " + title),
       before, most, tolerance);
}

} // namespace

TEST_CASE("a few steps") {
  course::Judge judge;
  ask(judge, "1 step", random_plate(judge, 48, 32), 1, 0);
  ask(judge, "1 step", random_plate(judge, 32, 48), 1, 0);
  ask(judge, "2 steps", random_plate(judge, 20, 20), 2, 0);
  ask(judge, "3 steps", random_plate(judge, 35, 18), 3, 0);
  ask(judge, "1 step", random_plate(judge, 3, 3), 1, 0);
  ask(judge, "4 steps", random_plate(judge, 3, 40), 4, 0);
  ask(judge, "3 steps", random_plate(judge, judge.number(100, 200), judge.number(30, 90)), 3, 0);
  judge.run();
}

TEST_CASE("until a step changes little") {
  course::Judge judge;
  for (int wanted : {1, judge.number(10, 30)}) {
    const Plate plate = random_plate(judge, 41, 29);
    Plate after = plate;
    after.solve(wanted, 0);
    double tolerance = after.change;
    after.step();
    tolerance = std::sqrt(tolerance * after.change); // step `wanted` is above, the next one below
    ask(judge, "until a step changes less than " + std::to_string(tolerance), plate, 1000,
        tolerance);
  }
  const Plate even{41, 29, std::vector<float>(41 * 29, 1.0f), std::vector<float>(41 * 29)};
  ask(judge, "all of the same temperature: a step changes nothing", even, 5, 0);
  judge.run();
}

TEST_CASE("one plate after the other") {
  course::Judge judge;
  const Question question = judge.ask<decltype(cold_corner)>("37 x 21 cells, then 50 x 30 others");
  call(question, random_plate(judge, 37, 21), 3, 0);
  call(question, random_plate(judge, 50, 30), 1, 0);
  judge.run();
}
