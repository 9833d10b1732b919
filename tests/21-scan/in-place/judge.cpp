// Judges exercise 21-scan/in-place.
#include "common/grader/judge.hpp"
#include "exercises/21-scan/in-place.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(in_place)>;

void ask_also(course::Judge &judge, Question &question, int n, int block) {
  const auto x = judge.numbers<int>(n, -1000, 3000);
  std::vector<int> sums = x;
  for (int i = 0; i < n; ++i)
    sums[i] += i % block > 0 ? sums[i - 1] : 0;
  question.launches_blocks_of(block).with(n, x, course::output(sums), block);
}

std::string title(int n, int block) {
  return "n = " + std::to_string(n) + ", blocks of " + std::to_string(block) + " threads";
}

void ask(course::Judge &judge, int n, int block) {
  auto question = judge.ask<decltype(in_place)>(title(n, block));
  ask_also(judge, question, n, block);
}

} // namespace

TEST_CASE("the running sums of each block") {
  course::Judge judge;
  for (int block : {256, 64, 128, 1024, 512, 32, 64}) // each in more than one order
    ask(judge, judge.number(3, 9) * block + judge.number(1, block), block);
  for (int n : judge.sizes(100'000))
    ask(judge, n, 32 << judge.number(0, 5));
  judge.run();
}

TEST_CASE("other lists, one after the other; and a kernel that does nothing") {
  course::Judge judge;
  const int n = judge.number(3000, 9000);
  auto calls = judge.ask<decltype(in_place)>(title(n, 128) + ", then 1024, then fewer numbers");
  ask_also(judge, calls, n, 128);
  ask_also(judge, calls, n, 1024);
  ask_also(judge, calls, n / 3, 64);
  auto idle = judge.ask<decltype(in_place)>(title(n, 128) + ", and the kernel does nothing");
  ask_also(judge, idle, n, 128);
  idle.without_kernels();
  judge.run();
}

TEST_CASE("more blocks than 65535", "[large]") {
  course::Judge judge;
  ask(judge, 32 * judge.number(65'536, 66'000), 32);
  judge.run();
}
