// Judges exercise 09-stencil/source: few steps, where an old field or one that is read and written
// at once shows, with numbers that no step rounds, so that bits have to agree; then the end by the
// tolerance, which lies between the changes of two steps, or is one.
#include "exercises/09-stencil/source.hpp"
#include "tests/09-stencil/plate.hpp"

#include <catch2/catch_test_macros.hpp>

using F = decltype(source);

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
