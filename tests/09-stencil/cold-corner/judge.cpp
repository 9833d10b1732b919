// Judges exercise 09-stencil/cold-corner: few steps on plates of all shapes, where a cell left out,
// a row taken for a column and a field one step old show, with numbers that no step rounds; then
// the end by the tolerance, which lies between the changes of two steps, or is one.
#include "exercises/09-stencil/cold-corner.hpp"
#include "tests/09-stencil/plate.hpp"

#include <catch2/catch_test_macros.hpp>

using F = decltype(cold_corner);

TEST_CASE("a few steps") {
  course::Judge judge;
  ask_few_steps<F>(judge);
  judge.run();
}

TEST_CASE("until a step changes little") {
  course::Judge judge;
  ask_until<F>(judge);
  judge.run();
}

TEST_CASE("one plate after the other; and who does the work") {
  course::Judge judge;
  ask_several<F>(judge);
  judge.run();
}

TEST_CASE("many steps; and the largest plate", "[large]") {
  course::Judge judge;
  ask_many_steps<F>(judge);
  ask_late_end<F>(judge);
  const Plate plate = large_plate();
  call(ask<F>(judge, plate, "1 step"), plate, 1, 0, exact);
  judge.run();
}
