// Judges exercise 06-integration2d/digits: sums in which plain float addition keeps few digits.
#include "common/grader/judge.hpp"
#include "exercises/06-integration2d/digits.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(digits)>;

void ask_also(Question &question, float h, const std::vector<float> &power, int threads) {
  double sum = 0, size = 0;
  for (float value : power) {
    sum += value;
    size += std::fabs(value);
  }
  question.with(int(power.size()), h, power, threads).returns(h * sum, 1e-6 * h * size);
}

Question ask(course::Judge &judge, const std::string &what, const std::vector<float> &power,
             int threads) {
  auto question =
      judge.ask<decltype(digits)>(what + " to six digits, " + std::to_string(power.size()) +
                                  " samples, " + std::to_string(threads) + " threads");
  ask_also(question, judge.number(0.001f, 0.002f), power, threads);
  return question;
}

bool not_finite(float energy) { return !std::isfinite(energy); }

} // namespace

// Nearly the same value again and again: every addition rounds to the same side.
TEST_CASE("a heater") {
  course::Judge judge;
  const float watts = judge.number(1000.0f, 1020.0f);
  const auto heater = [&](int n) { return judge.numbers<float>(n, watts, watts + 0.01f); };
  ask(judge, "a heater", heater(100'003), 1);
  for (int n : judge.sizes(100'003))
    ask(judge, "a heater", heater(n), judge.number(1, n));
  const auto power = heater(100'003);
  for (int threads : {7, 50'001, 100'003})
    ask(judge, "a heater", power, threads);
  const auto longest =
      heater(1'200'000); // what is lost adds up to what has to be kept exactly, too
  for (int threads : {1, 1'200'000})
    ask(judge, "a heater", longest, threads);
  judge.run();
}

// Next to the first sample the others are below the last digit; together they are not.
TEST_CASE("a flash, then a small lamp") {
  course::Judge judge;
  for (int threads : {1, judge.number(2, 1000), 100'003}) {
    auto power = judge.numbers<float>(100'003, 0.01f, 0.02f);
    power[0] = 1e6f;
    ask(judge, "a flash", power, threads);
  }
  // What is lost in each part of 4096 samples has to be kept for the next one.
  std::vector<float> power(1'200'000, 9e-4f);
  std::fill_n(power.begin(), 4096, 0.0f);
  power[0] = 1e8f;
  ask(judge, "a flash, and a lamp that is switched on later", power, 1);
  // What is lost within a few samples is too much where it is lost again and again.
  power.assign(100'003, 1024 * 0.99f * std::ldexp(1.0f, -24));
  for (std::size_t i = 0; i < power.size(); i += 32)
    power[i] = 1024;
  for (int threads : {1, 100'003})
    ask(judge, "a flash every 32 samples", power, threads);
  ask(judge, "a very small lamp", judge.numbers<float>(1000, 1e-33f, 2e-33f), 10);
  judge.run();
}

// The samples come in pairs that cancel, in random order: sums on the way are above the largest
// float, 3.4e38, whatever the order of the additions, and the sum of all is near 0. Whether h is
// multiplied before or after changes nothing: it is 1.
TEST_CASE("sums that only a double holds") {
  course::Judge judge;
  auto power = judge.numbers<float>(20'000, 1e38f, 2e38f);
  for (int i = 0; i < 10'000; ++i)
    power[i] = -power[10'000 + i];
  for (int i = 19'999; i > 0; --i)
    std::swap(power[i], power[judge.number(0, i)]);
  for (int threads : {1, 20'000})
    judge
        .ask<decltype(digits)>(std::string("a sum beyond the largest float, in ") +
                               (threads == 1 ? "a thread" : "the sum of the threads' sums"))
        .with(20'000, 1.0f, power, threads)
        .returns_such_that("infinity or NaN, since all is computed in float (is this a double?)",
                           not_finite);
  judge.run();
}

TEST_CASE("heated and cooled") {
  course::Judge judge;
  const auto power = judge.numbers<float>(150'001, -1000, 1000);
  for (int threads : {1, judge.number(2, 2000), 150'001})
    ask(judge, "both signs", power, threads);
  judge.run();
}

TEST_CASE("a lamp after a flash, and a kernel that does nothing") {
  course::Judge judge;
  const int n = judge.number(50, 300);
  auto calls = judge.ask<decltype(digits)>("three calls, the last two of as many samples");
  ask_also(calls, 0.001f, judge.numbers<float>(1000, 1e7f, 2e7f), 1000);
  ask_also(calls, 1.0f, judge.numbers<float>(n, 1, 2), n);
  ask_also(calls, 2.0f, judge.numbers<float>(n, 3, 4), n);
  auto idle = judge.ask<decltype(digits)>("1003 samples, and the kernel does nothing");
  ask_also(idle, 0.5f, judge.numbers<float>(1003, 1, 2), 77);
  idle.without_kernels();
  judge.run();
}

// The last sample is a flash: it shows when it is left out.
TEST_CASE("as many samples as there may be; more blocks of 128 than 65535", "[large]") {
  course::Judge judge;
  std::vector<float> power(15'999'000 + judge.number(0, 999), 1.5f);
  power.back() = 1e6f;
  ask(judge, "a lamp, then a flash,", power, 1);
  power.assign((1 << 23) + judge.number(1, 999), 1.5f);
  power.back() = 1e6f;
  ask(judge, "a lamp, then a flash,", power, int(power.size()));
  judge.run();
}
