// Judges exercise 04-mandelbrot/crossing.
#include "common/grader/judge/judge.hpp"
#include "exercises/04-mandelbrot/crossing.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

// Counts up; no formula. The rates are such that this ends soon.
void ask(course::Judge &judge, const std::string &title, double value_bytes, double link,
         double host, double device) {
  long operations = host < device ? 1 : 0;
  while (operations > 0 && value_bytes / link + operations / device >= operations / host)
    ++operations;
  judge.ask<decltype(crossing)>(title)
      .needs_no_kernel()
      .with(value_bytes, link, host, device)
      .returns(operations);
}

} // namespace

TEST_CASE("from how much work the trip pays") {
  course::Judge judge;
  ask(judge, "4 bytes, 15 GB/s, 1 and 1000 Gop/s: one operation pays", 4, 15e9, 1e9, 1000e9);
  ask(judge, "8 bytes, 15 GB/s, 64 and 1000 Gop/s", 8, 15e9, 64e9, 1000e9);
  ask(judge, "8 bytes, 55 GB/s, 1000 and 60000 Gop/s", 8, 55e9, 1e12, 60e12);
  // Powers of two, which no formula rounds.
  ask(judge, "2 operations take as long there as here, 3 do not", 8, 0x1p33, 0x1p30, 0x1p31);
  ask(judge, "a trip that is a little shorter than 2 operations save", 8 - 0x1p-38, 0x1p33, 0x1p30,
      0x1p31);
  ask(judge, "a trip that is a little longer than 2 operations save", 8 + 0x1p-38, 0x1p33, 0x1p30,
      0x1p31);
  ask(judge, "a trip that takes hardly any time", 1, 0x1p50, 0x1p30, 0x1p31);
  ask(judge, "few bytes and operations per second, and no whole numbers", 7.5, 6.5, 1.5, 3.5);
  ask(judge, "machines of the future", 8, 1e15, 1e18, 1e20);
  ask(judge, "the slowest link and host, and large values", 1e6, 1, 1, 7);
  ask(judge, "a device that is hardly faster", 8, 55e9, 1e12, 1.01e12);
  ask(judge, "a device that is faster by a millionth", 1, 0x1p20, 1, 1 + 0x1p-20);
  ask(judge, "a device that is as fast as the host", 8, 15e9, 1e12, 1e12);
  ask(judge, "a device that is slower than the host", 8, 15e9, 2e12, 1e12);
  judge.run();
}

// The link is chosen so that the crossing lies between two whole numbers, near one of them, but not
// so near that double's rounding decides.
TEST_CASE("machines that nobody sells") {
  course::Judge judge;
  for (int most : {1, 10, 200, 9'999'999}) {
    auto question = judge.ask<decltype(crossing)>("machines that nobody sells, up to " +
                                                  std::to_string(most) + " operations");
    question.needs_no_kernel();
    for (int i = 0; i < 8; ++i) {
      const double bytes = judge.number(1, 16), host = judge.number(1e9, 1e12);
      const double device = host * judge.number(1.1, 100.0);
      const long below = judge.number(most / 2, most);
      const double crossing = below + (i % 2 == 0 ? 1e-4 : 1 - 1e-4);
      const double link = bytes / (crossing * (1 / host - 1 / device));
      question.with(bytes, link, host, device).returns(below + 1);
    }
  }
  judge.run();
}
