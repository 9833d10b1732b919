// Judges exercise 07-reduction/norm.
#include "common/grader/judge/judge.hpp"
#include "exercises/07-reduction/norm.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(norm)>;

// Differences in float are right to 2^-24 of each, and so of their norm; everything else is double.
const double tolerance = 1e-7;

void ask_also(Question &question, const std::vector<float> &a, const std::vector<float> &b,
              double its_tolerance = tolerance) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    squares += (double(a[i]) - b[i]) * (double(a[i]) - b[i]);
  const double expected = std::sqrt(squares);
  question.with(a, b, int(a.size())).returns(expected, its_tolerance * expected);
}

void ask_also(course::Judge &judge, Question &question, int n) {
  ask_also(question, judge.numbers<float>(n, 1, 3), judge.numbers<float>(n, -2, 2));
}

} // namespace

TEST_CASE("the norm of a difference") {
  course::Judge judge;
  for (int n : judge.sizes(2'000'000)) {
    auto question = judge.ask<decltype(norm)>("n = " + std::to_string(n));
    ask_also(judge, question, n);
    question.launches_at_most(1);
  }
  judge.run();
}

// Whole numbers of 20 bits: a difference is exact in float, its square and the sum are not. In
// double the squares are exact and their sum, root and the expected value are right to n + 3
// roundings of 2^-53, of which half count for the root.
TEST_CASE("squares and sums in double") {
  course::Judge judge;
  for (int n : {judge.number(2, 9), judge.number(20'000, 30'000)}) {
    std::vector<float> a(n), b(n);
    for (int i = 0; i < n; ++i) {
      a[i] = judge.number(0, 1 << 20);
      b[i] = judge.number(-(1 << 20), 0);
    }
    auto exact = judge.ask<decltype(norm)>(std::to_string(n) + " differences that are whole");
    ask_also(exact, a, b, (n + 3) * std::ldexp(1.0, -53));
    exact
        .environment("COURSE_CPU_PROCESSORS", "24") // and so many blocks, or more
        .at_most(&course::Work::bytes_to_host, 64, "the host adds what the blocks have left.");
  }
  judge.run();
}

// More than four blocks for each thread of the last one.
TEST_CASE("on a device with many multiprocessors") {
  course::Judge judge;
  const std::string processors = std::to_string(judge.number(130, 160));
  const int n = judge.number(280'000, 300'000);
  auto many = judge.ask<decltype(norm)>("n = " + std::to_string(n) + ", " + processors +
                                        " multiprocessors");
  ask_also(judge, many, n);
  many.environment("COURSE_CPU_PROCESSORS", processors);
  judge.run();
}

TEST_CASE("kernels that do nothing") {
  course::Judge judge;
  auto idle = judge.ask<decltype(norm)>("n = 3007, and the kernel does nothing");
  ask_also(judge, idle, 3007);
  idle.without_kernels();
  judge.run();
}

TEST_CASE("called several times") {
  course::Judge judge;
  auto often = judge.ask<decltype(norm)>("n = 301, seventy times");
  for (int call = 0; call < 70; ++call)
    ask_also(judge, often, 301);
  const int n = judge.number(10'000, 30'000);
  auto growing =
      judge.ask<decltype(norm)>("n = 100, then " + std::to_string(n) + ", then 1, then " +
                                std::to_string(n) + " again and with one other number");
  for (int its_n : {100, n, 1})
    ask_also(judge, growing, its_n);
  auto a = judge.numbers<float>(n, 1, 3);
  const auto b = judge.numbers<float>(n, -2, 2);
  ask_also(growing, a, b);
  a[judge.number(1, n - 2)] = 100;
  ask_also(growing, a, b);
  judge.run();
}

TEST_CASE("equal fields, and extreme ones") {
  course::Judge judge;
  const int n = 5003;
  const auto a = judge.numbers<float>(n);
  auto equal = judge.ask<decltype(norm)>("two equal lists");
  ask_also(equal, a, a);
  auto large =
      judge.ask<decltype(norm)>("differences of 1e20, then 1e38, whose squares fit in no float");
  for (float unit : {1e20f, 1e38f})
    ask_also(large, judge.numbers<float>(n, unit, 2 * unit), a);
  auto small = judge.ask<decltype(norm)>("differences whose squares are 0 in float");
  for (float unit : {1e-25f, 1e-40f})
    ask_also(small, judge.numbers<float>(n, unit, 2 * unit), std::vector<float>(n));
  // Changes of small numbers get lost in a sum with the square of a number that stays. With one
  // multiprocessor each thread has both.
  auto before = judge.numbers<float>(n, 1, 2), after = before;
  for (int i = judge.number(0, 2); i < n; i += judge.number(1, 3)) {
    before[i] = judge.number(1e-9f, 2e-9f);
    after[i] = judge.number(3e-9f, 4e-9f);
  }
  auto little = judge.ask<decltype(norm)>("only very small numbers differ");
  ask_also(little, before, after);
  little.environment("COURSE_CPU_PROCESSORS", "1");
  auto undefined =
      judge.ask<decltype(norm)>("a number of a is NaN, then of b, then both at a place");
  const auto with_nan = judge.sprinkled(a, {NAN});
  ask_also(undefined, with_nan, before);
  ask_also(undefined, before, with_nan);
  ask_also(undefined, with_nan, with_nan);
  judge.run();
}

TEST_CASE("as many as there may be", "[large]") {
  course::Judge judge;
  const int n = judge.number(1'990'000, 2'000'000);
  auto question = judge.ask<decltype(norm)>("n = " + std::to_string(n));
  ask_also(judge, question, n);
  judge.run();
}
