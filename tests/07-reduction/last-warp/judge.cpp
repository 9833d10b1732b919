// Judges exercise 07-reduction/last-warp. Whole numbers times a power of two: their sums are exact
// in any order.
#include "common/grader/judge/judge.hpp"
#include "exercises/07-reduction/last-warp.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(last_warp)>;

std::vector<float> drawn(course::Judge &judge, int n) {
  std::vector<float> x(n);
  const int exponent = judge.number(-140, 86); // down to numbers that are subnormal
  for (float &number : x)
    number = std::ldexp(float(judge.number(-5000, 10'000)), exponent);
  return x;
}

void ask_also(Question &question, const std::vector<float> &x, int block) {
  const int n = int(x.size());
  std::vector<float> sums((n + block - 1) / block);
  for (int i = 0; i < n; ++i)
    sums[i / block] += x[i];
  question.launches_blocks_of(block).with(n, x, course::output(sums), block);
}

void ask_also(course::Judge &judge, Question &question, int n, int block) {
  ask_also(question, drawn(judge, n), block);
}

std::string title(int n, int block) {
  return "n = " + std::to_string(n) + ", blocks of " + std::to_string(block) + " threads";
}

void ask(course::Judge &judge, int n, int block) {
  auto question = judge.ask<decltype(last_warp)>(title(n, block));
  ask_also(judge, question, n, block);
}

} // namespace

TEST_CASE("each block's sum") {
  course::Judge judge;
  for (int block : {256, 64, 128, 1024, 512, 64}) // each in more than one order
    ask(judge, judge.number(3, 9) * block + judge.number(1, block), block);
  for (int n : judge.sizes(100'000))
    ask(judge, n, 64 << judge.number(0, 4));
  judge.run();
}

TEST_CASE("a NaN in each lane of the last warps, and infinite numbers") {
  course::Judge judge;
  constexpr int block = 64;
  std::vector<float> x(block * block, 1.0f), sums(block, NAN);
  for (int i = 0; i < block; ++i)
    x[i * block + i] = i == 7 ? INFINITY : NAN;
  sums[7] = INFINITY;
  judge.ask<decltype(last_warp)>("64 blocks of 64, in each a NaN or an infinite number")
      .with(int(x.size()), x, course::output(sums), block);
  judge.run();
}

TEST_CASE("other lists, one after the other; and a kernel that does nothing") {
  course::Judge judge;
  const int n = 32 * judge.number(100, 280) + 31;
  auto calls = judge.ask<decltype(last_warp)>(title(n, 128) + ", then 1024, then fewer numbers");
  ask_also(judge, calls, n, 128);
  ask_also(judge, calls, n, 1024);
  ask_also(judge, calls, n / 3, 64);
  auto x = drawn(judge, n);
  ask_also(calls, x, 128);
  std::swap(x[n / 2], x[n / 4]); // in other blocks
  ask_also(calls, x, 128);
  auto idle = judge.ask<decltype(last_warp)>(title(n, 128) + ", and the kernel does nothing");
  ask_also(judge, idle, n, 128);
  idle.without_kernels();
  judge.run();
}

TEST_CASE("more blocks than 65535", "[large]") {
  course::Judge judge;
  const int n = judge.number(4'260'000, 4'300'000);
  ask(judge, n, 64);
  judge.run();
}
