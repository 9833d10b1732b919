// Judges exercise 13-profiling/slow-1: fields of all shapes; and what it takes to get there.
#include "exercises/13-profiling/slow-1.hpp"
#include "tests/13-profiling/sink.hpp"

#include <catch2/catch_test_macros.hpp>

using course::Sink;

TEST_CASE("heat sinks through a field") {
  course::Judge judge;
  Sink<decltype(slow_1)>(judge).all_shapes();
}

TEST_CASE("several fields in one process; and a kernel that does nothing") {
  course::Judge judge;
  Sink<decltype(slow_1)>(judge).several_and_idle();
}

TEST_CASE("nothing is copied between the rounds, and the host does not wait") {
  course::Judge judge;
  for (int rounds : {6, judge.number(7, 12)}) {
    const int rows = judge.number(40, 90), cols = 8 * judge.number(5, 12);
    auto question = Sink<decltype(slow_1)>(judge).ask(rows, cols, rounds, ", counted");
    question.at_most(&course::Work::copies, 2, course::field_copied);
    // Both copies wait, and cudaFree where something is left to do.
    question.at_most(&course::Work::waits, 4,
                     "a call in the loop waits until the device has done its work.");
  }
  judge.run();
}
