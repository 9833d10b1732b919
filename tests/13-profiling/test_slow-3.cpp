// Judges exercise 13-profiling/slow-3: fields of all shapes; and what it takes to get there.
#include "exercises/13-profiling/slow-3.hpp"
#include "tests/13-profiling/sink.hpp"

#include <catch2/catch_test_macros.hpp>

using course::Sink;

TEST_CASE("heat sinks through a field") {
  course::Judge judge;
  Sink<decltype(slow_3)>(judge).all_shapes();
}

TEST_CASE("several fields in one process; and a kernel that does nothing") {
  course::Judge judge;
  Sink<decltype(slow_3)>(judge).several_and_idle();
}

TEST_CASE("coalesced loads and stores") {
  course::Judge judge;
  for (int rounds : {6, judge.number(7, 12)}) {
    const int rows = judge.number(40, 90), cols = 8 * judge.number(5, 12);
    auto question = Sink<decltype(slow_3)>(judge).ask(rows, cols, rounds, ", counted");
    question.at_most(&course::Work::copies, 2, course::field_copied);
    question.at_most(&course::Work::launches, rounds,
                     "a launch for each column: the device waits for the host, which launches.");
    // A value is loaded twice; a row is whole sectors.
    const std::uint64_t field = std::uint64_t(rows) * cols * rounds / 8;
    question
        .at_most(&course::Work::global_load_sectors, 2 * field * 5 / 4,
                 "threadIdx.x, which counts the lanes of a warp, counts rows, and the values of a "
                 "column are far apart.")
        .at_most(&course::Work::global_store_sectors, field * 5 / 4,
                 "threadIdx.x, which counts the lanes of a warp, counts rows, and the values of a "
                 "column are far apart.");
  }
  judge.run();
}
