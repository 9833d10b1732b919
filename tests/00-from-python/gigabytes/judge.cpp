// Judges exercise 00-from-python/gigabytes, from sizes that fit into an int to those that fit into
// none of 32 bits.
#include "common/grader/judge/judge.hpp"
#include "exercises/00-from-python/gigabytes.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("gigabytes of a matrix") {
  course::Judge judge;
  const auto ask = [&](const std::string &title, int rows, int cols) {
    const double expected = double(rows) * cols * 4 / 1e9;
    judge.ask<decltype(gigabytes)>(title)
        .needs_no_kernel()
        .with(rows, cols)
        .returns(expected, 1e-12 * expected);
  };
  const auto side = [&](int low, int high) { return judge.number(low, high); };
  ask("fewer than 2^31 bytes", side(10'000, 20'000), side(10'000, 20'000));
  ask("one float", 1, 1);
  ask("less than a GB, far from square", side(2, 20), side(100'001, 999'999));
  ask("from 2^31 to 2^32 bytes, too many for an int", side(24'000, 30'000), side(24'000, 30'000));
  ask("more than 2^31 floats, too many for an int", side(47'000, 60'000), side(47'000, 60'000));
  ask("more than 2^32 floats, too many for an int", side(70'000, 90'000), side(90'000, 100'000));
  ask("the largest", 1'000'000, 1'000'000);
  // Bytes, then floats, that are too many for an int, and for an unsigned: as few rows as can be.
  for (int least : {537, 1074, 2148, 4295}) {
    const int few = side(least, least + least / 10);
    ask(std::to_string(few) + " rows of a million floats", few, 1'000'000);
    ask("a million rows of " + std::to_string(few) + " floats", 1'000'000, few);
  }
  auto many = judge.ask<decltype(gigabytes)>("many sizes, and each as wide as the one before");
  many.needs_no_kernel();
  int rows = 1, cols = 1;
  for (int call = 0; call < 100; ++call) {
    (call % 2 ? rows : cols) = int(std::pow(10, judge.number(0.0, 6.0)));
    const double expected = double(rows) * cols * 4 / 1e9;
    many.with(rows, cols).returns(expected, 1e-12 * expected);
  }
  judge.run();
}
