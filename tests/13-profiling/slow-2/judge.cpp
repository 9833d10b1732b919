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

namespace {

void ask_counted(course::Judge &judge, int rows, int cols, int rounds) {
  Sink<decltype(slow_2)>(judge)
      .ask_counted(rows, cols, rounds)
      .at_most(&course::Work::launches, rounds,
               "a launch for each column: the device waits for the host, which launches.");
}

} // namespace

TEST_CASE("one launch for each round") {
  course::Judge judge;
  ask_counted(judge, judge.number(40, 90), judge.number(1025, 1100), 6); // columns: above a block
  ask_counted(judge, judge.number(10, 20), judge.number(10, 20), judge.number(130, 150));
  judge.run();
}

TEST_CASE("more values than a float counts; and one launch for many columns", "[large]") {
  course::Judge judge;
  Sink<decltype(slow_2)>(judge).ask(10'000 - judge.number(0, 40), 1697, 1);
  ask_counted(judge, judge.number(2900, 3000), 1700, 1); // more than 16 MiB
  ask_counted(judge, judge.number(2, 5), 9999, 1);
  ask_counted(judge, judge.number(4'100, 9'000), 1, 2);
  judge.run();
}
