// Judges exercise 13-profiling/slow-2: fields of all shapes; and what it takes to get there.
#include "exercises/13-profiling/slow-2.hpp"
#include "tests/13-profiling/sink.hpp"

#include <catch2/catch_test_macros.hpp>

using course::Sink;

TEST_CASE("heat sinks through a field") {
  course::Judge judge;
  Sink<decltype(slow_2)>(judge).all_shapes();
}

TEST_CASE("several fields in one process; and a kernel that does nothing") {
  course::Judge judge;
  Sink<decltype(slow_2)>(judge).several_and_idle();
}

TEST_CASE("one launch for each round") {
  course::Judge judge;
  for (int rounds : {6, judge.number(7, 12)}) {
    const int rows = judge.number(40, 90);
    const int cols = rounds == 6 ? judge.number(1025, 1100) : judge.number(40, 90); // above a block
    Sink<decltype(slow_2)>(judge)
        .ask_counted(rows, cols, rounds)
        .at_most(&course::Work::launches, rounds,
                 "a launch for each column: the device waits for the host, which launches.");
  }
  judge.run();
}

TEST_CASE("more values than a float counts", "[large]") {
  course::Judge judge;
  Sink<decltype(slow_2)>(judge).ask(3000, 5600, 1);
  judge.run();
}
