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

namespace {

// Two loads and one store for each value: at most `quarters` / 4 of the sectors that these need.
void ask_coalesced(course::Judge &judge, int rows, int cols, int rounds, std::uint64_t quarters) {
  const char *const meaning =
      "threadIdx.x, which counts the lanes of a warp, counts rows, and the values of a column are "
      "far apart.";
  const std::uint64_t sectors = (std::uint64_t(rows) * cols + 7) / 8 * rounds;
  Sink<decltype(slow_3)>(judge)
      .ask_counted(rows, cols, rounds)
      .at_most(&course::Work::launches, rounds,
               "a launch for each column: the device waits for the host, which launches.")
      .at_most(&course::Work::global_load_sectors, 2 * sectors * quarters / 4, meaning)
      .at_most(&course::Work::global_store_sectors, sectors * quarters / 4, meaning);
}

} // namespace

TEST_CASE("coalesced loads and stores") {
  course::Judge judge;
  // A row is whole sectors. Many rounds; few rows, so that each of them counts; far from square.
  ask_coalesced(judge, judge.number(30, 60), 8 * judge.number(5, 12), 6, 5);
  ask_coalesced(judge, judge.number(9, 19), 8 * judge.number(5, 9), judge.number(130, 150), 5);
  ask_coalesced(judge, judge.number(2, 5), 8 * judge.number(270, 330), 2, 5);
  ask_coalesced(judge, judge.number(300, 500), 8 * judge.number(3, 6), 2, 5);
  ask_coalesced(judge, judge.number(100, 200), 8 * judge.number(13, 24) + judge.number(1, 7), 3, 6);
  judge.run();
}

TEST_CASE("more blocks of 256 than 65535, more values than a float counts", "[large]") {
  course::Judge judge;
  Sink<decltype(slow_3)>(judge).ask_counted(1697, 10'000 - judge.number(0, 40), 1);
  ask_coalesced(judge, 1001, 1008, 1, 5);
  judge.run();
}
