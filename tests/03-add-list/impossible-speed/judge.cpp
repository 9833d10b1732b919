// Judges exercise 03-add-list/impossible-speed: the result, the report of a launch that fails, and
// a time that is possible at all.
#include "common/grader/judge/judge.hpp"
#include "exercises/03-add-list/impossible-speed.hpp"

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <memory>

namespace {

const int invalid_configuration = 9; // cudaErrorInvalidConfiguration, which GPUs need not say
const int most_threads = 1024;       // of a block

using Clock = std::chrono::steady_clock;

std::string text(Measurement m) {
  return "error " + std::to_string(m.error) + " and " + std::to_string(m.seconds) + " s";
}

using Question = course::Question<decltype(impossible_speed)>;

// A call with n numbers; x is added `times` times where the launch succeeds.
void call(course::Judge &judge, Question &question, int n, int times, int block) {
  const auto x = judge.numbers<float>(n), y = judge.numbers<float>(n);
  auto expected = y;
  if (block <= most_threads)
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < times; ++k)
        expected[i] += x[i];
  question.with(n, times, x, course::in_out(y, expected), block);
}

Question ask(course::Judge &judge, const std::string &title, int n, int times, int block) {
  auto question = judge.ask<decltype(impossible_speed)>(title);
  call(judge, question, n, times, block);
  question.launches_at_most(4); // three may warm up
  return question;
}

bool succeeded(Measurement m) { return m.error == 0 && m.seconds > 0; }

} // namespace

TEST_CASE("the sum") {
  course::Judge judge;
  for (int n : judge.sizes(400'000)) {
    const int times = judge.number(5, 9), block = judge.number(1, most_threads);
    ask(judge,
        std::to_string(n) + " numbers, " + std::to_string(times) + " times, blocks of " +
            std::to_string(block),
        n, times, block)
        .returns_such_that("error 0 and a time above 0", succeeded, text);
  }
  ask(judge, "blocks of 1024 threads", judge.number(1000, 5000), 1, most_threads)
      .returns_such_that("error 0 and a time above 0", succeeded, text);
  ask(judge, "more blocks of 1 thread than 65535", judge.number(65'536, 70'000), 2, 1)
      .returns_such_that("error 0 and a time above 0", succeeded, text);
  ask(judge, "the kernels do nothing", 32 * judge.number(9, 28) + 31, 3, 128).without_kernels();
  judge.run();
}

TEST_CASE("a launch that fails") {
  course::Judge judge;
  for (int block : {most_threads + 1, judge.number(most_threads + 2, 99'999), 100'000})
    ask(judge, "a block of " + std::to_string(block) + " threads", 1003, 3, block)
        .needs_no_kernel()
        .returns_such_that(
            "the error of that launch" +
                (COURSE_CUDA ? "" : ", " + std::to_string(invalid_configuration)),
            [](Measurement m) {
              return COURSE_CUDA ? m.error != 0 : m.error == invalid_configuration;
            },
            text);
  auto after = ask(judge, "a block that is too large, and then others", 1003, 3, 1200);
  call(judge, after, 1003, 3, 256);
  call(judge, after, 1003, 4, 256); // one change at a time
  call(judge, after, 1003, 4, 96);
  after.launches_at_most(16).returns_such_that("error 0 and a time above 0", succeeded, text);
  judge.run();
}

// Not a test of speed: each addition waits for the one before, and no processor ends a float
// addition in 0.2 ns (one cycle at 5 GHz). A launch alone takes far less than the 200 us. And the
// measured part of the worker's life is shorter than all of it.
TEST_CASE("the time") {
  course::Judge judge;
  const int times = 1'000'000;
  const Clock::time_point begin = Clock::now();
  ask(judge, "1000000 additions one after the other", 33, times, 32)
      .returns_such_that(
          "a time in seconds, above 0.0002, since so many additions take longer, and below that of "
          "the whole program",
          [begin](Measurement m) {
            return m.seconds >= times * 0.2e-9 &&
                   m.seconds <= std::chrono::duration<double>(Clock::now() - begin).count();
          },
          text);
  judge.run();
}

// Copies of so many numbers take a millisecond or more, and a launch without its kernel some
// microseconds; three calls, since the system may interrupt one.
TEST_CASE("the time of the launch and its kernel alone", "[large]") {
  course::Judge judge;
  const std::vector<float> x(1 << 22, 1.0f);
  auto question = judge.ask<decltype(impossible_speed)>("kernels do nothing, in three calls");
  question.kernels_do_nothing();
  const auto least = std::make_shared<double>(1);
  for (int calls_left : {2, 1, 0})
    question.with(int(x.size()), 1, x, course::in_out(x, x), 256)
        .returns_such_that(
            "error 0 and, in one of the calls, a time below 0.0002 s: no copy is part of it",
            [=](Measurement m) {
              *least = std::min(*least, m.seconds);
              return m.error == 0 && (calls_left > 0 || *least < 0.0002);
            },
            text);
  judge.run();
}

// A float does not hold the number of elements: blocks that are counted in float are one too few.
TEST_CASE("more blocks of 256 than 65535", "[large]") {
  course::Judge judge;
  const int n = course::above_floats;
  judge.ask<decltype(impossible_speed)>(std::to_string(n) + " numbers")
      .with(n, 1, std::vector<float>(n, 1.0f),
            course::in_out(std::vector<float>(n, 2.0f), std::vector<float>(n, 3.0f)), 256);
  judge.run();
}
