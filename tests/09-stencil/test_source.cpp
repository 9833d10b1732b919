// Judges exercise 09-stencil/source: few steps, where an old field or one that is read and written
// at once shows; then the end by the tolerance, which lies between the changes of two steps.
#include "exercises/09-stencil/source.hpp"
#include "tests/09-stencil/plate.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace {

Plate random_plate(course::Judge &judge, int nx, int ny) {
  return {nx, ny, judge.numbers<float>(nx * ny), judge.numbers<float>(nx * ny)};
}

using Question = course::Question<decltype(source)>;

void call(Question question, const Plate &before, int most, double tolerance) {
  Plate after = before;
  after.solve(most, tolerance);
  question
      .with(course::in_out(before.u, after.u, plate_tolerance).shape(before.nx), before.heat,
            before.nx, before.ny, most, tolerance)
      .returns_such_that(
          text_of(after), [after](Solve solve) { return after.agrees(solve); }, text_of<Solve>);
}

void ask(course::Judge &judge, const std::string &title, const Plate &before, int most,
         double tolerance) {
  call(judge.ask<decltype(source)>(std::to_string(before.nx) + " x " + std::to_string(before.ny) +
                                   " cells, " + title),
       before, most, tolerance);
}

} // namespace

TEST_CASE("a few steps") {
  course::Judge judge;
  ask(judge, "1 step", random_plate(judge, 37, 21), 1, 0);
  ask(judge, "2 steps", random_plate(judge, 37, 21), 2, 0);
  ask(judge, "3 steps", random_plate(judge, 21, 37), 3, 0);
  ask(judge, "2 steps", random_plate(judge, 3, 3), 2, 0);
  ask(judge, "2 steps", random_plate(judge, 3, 70), 2, 0);
  ask(judge, "3 steps", random_plate(judge, 64, 16), 3, 0);
  ask(judge, "2 steps", random_plate(judge, 33, 9), 2, 0);
  ask(judge, "4 steps", random_plate(judge, 34, 10), 4, 0);
  ask(judge, "3 steps", random_plate(judge, judge.number(100, 200), judge.number(30, 90)), 3, 0);
  judge.run();
}

TEST_CASE("until a step changes little") {
  course::Judge judge;
  for (int wanted : {1, 2, judge.number(10, 30)}) {
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
  const Question question = judge.ask<decltype(source)>("37 x 21 cells, then 50 x 30 others");
  call(question, random_plate(judge, 37, 21), 3, 0);
  call(question, random_plate(judge, 50, 30), 1, 0);
  judge.run();
}
