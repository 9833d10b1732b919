// Judges exercise 21-scan/in-place.
#include "common/grader/judge/judge.hpp"
#include "exercises/21-scan/in-place.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(in_place)>;

// The first sum of each block is its first number: `first`, or any.
Question ask(course::Judge &judge, int n, int block, const std::string &also = "", int first = 0) {
  // Of up to 31 digits, as every sum of neighbours is: a float holds 24.
  auto sums = judge.numbers<int>(n, -(1 << 30), (1 << 30) - 1);
  for (int i = 0; first != 0 && i < n; i += block)
    sums[i] = first;
  std::vector<int> x = sums;
  for (int i = 0; i < n; ++i)
    x[i] -= i % block > 0 ? sums[i - 1] : 0;
  auto question = judge.ask<decltype(in_place)>("n = " + std::to_string(n) + ", blocks of " +
                                                std::to_string(block) + " threads" + also);
  return question.launches_blocks_of(block).with(n, x, course::output(sums), block);
}

} // namespace

TEST_CASE("the running sums of each block") {
  course::Judge judge;
  for (int block : {256, 64, 128, 1024, 512, 32, 64}) // each in more than one order
    ask(judge, judge.number(3, 9) * block + judge.number(1, block), block);
  for (int n : judge.sizes(100'000))
    ask(judge, n, 32 << judge.number(0, 5));
  // Who computes in one device array copies x back: its first numbers are as after a cudaMemset.
  ask(judge, 32 * judge.number(100, 280) + 31, 128, ", and the kernel does nothing", 0x0101'0101)
      .without_kernels();
  judge.run();
}

TEST_CASE("the same numbers in other blocks, then one number is another") {
  course::Judge judge;
  const int n = judge.number(700, 900);
  auto x = judge.numbers<int>(n, -1'000'000, 1'000'000);
  auto question = judge.ask<decltype(in_place)>("n = " + std::to_string(n) + ", several calls");
  for (int block : {64, 256, 256}) {
    std::vector<int> sums = x;
    for (int i = 0; i < n; ++i)
      sums[i] += i % block > 0 ? sums[i - 1] : 0;
    question.with(n, x, course::output(sums), block);
    if (block == 256)
      x[judge.number(n / 4, n / 2)] += 1;
  }
  judge.run();
}

TEST_CASE("more than 1024 blocks of 1024; more than 65535 blocks", "[large]") {
  course::Judge judge;
  ask(judge, (1 << 20) + judge.number(1, 1023), 1024);
  ask(judge, (1 << 21) + judge.number(1, 31), 32);
  judge.run();
}
