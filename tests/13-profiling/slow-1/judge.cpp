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
  for (int rounds : {6, judge.number(130, 150)}) {
    const int rows = judge.number(40, 60), cols = judge.number(20, 30);
    Sink<decltype(slow_1)>(judge)
        .ask_counted(rows, cols, rounds)
        .at_most(&course::Work::global_store_bytes, sizeof(float) * rows * cols * rounds,
                 "a kernel copies the field, or a part of it: that is a copy, too.");
  }
  judge.run();
}
