// Judges exercise 06-integration2d/early-exit: the kernel where the last strip is not a full one,
// and the learner's own test on a right kernel and on wrong ones.
#include "common/grader/judge/judge.hpp"
#include "exercises/06-integration2d/early-exit.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <iomanip>
#include <sstream>

namespace {

const char *kernels[] = {"integrate", "a kernel that does nothing", "half of the value",
                         "twice the value", "NaN"};

std::string title(int n, int grid, int block) {
  return std::to_string(n) + " rows, " + std::to_string(grid) + " blocks of " +
         std::to_string(block);
}

// The sum over the middles is known: h^2 / (2 sin^2(h / 2)), h = pi / (2 n). It has n^2 terms below
// 1 in double, and their rounding is far below 1e-10.
double integral(int n) {
  const double h = 1.5707963267948966 / n, half = h / (2 * std::sin(h / 2));
  return 2 * half * half;
}

std::string text(double integral) {
  std::ostringstream out;
  out << std::setprecision(10) << integral;
  return out.str();
}

std::string accepted(Tested tested) { return "accepted = " + std::to_string(tested.accepted); }

} // namespace

TEST_CASE("the integral is 2") {
  course::Judge judge;
  const int threads = 1 << judge.number(0, 10), n = judge.number(300, 600);
  const int sizes[][3] = {{512, 8, 64}, // each thread has a row
                          {513, 8, 64}, // and one has another
                          {513, 2, 64}, // strip after strip
                          {1001, 4, 16},
                          {100, 1, 128},
                          {333, 100, 32}, // more threads than rows
                          {511, 1, 512},
                          {100, 2, 1024}, // far more
                          {n, 3, 128},
                          {n + 1, 2, 1024},
                          {n, 1, threads},
                          {n, judge.number(2, 9), threads},
                          {101, judge.number(3, 300), 1},
                          {judge.number(1985, 2000), 1, 1024},
                          // A row for each of more blocks than a block has threads.
                          {judge.number(1100, 2000), judge.number(99'000, 100'000), 1}};
  for (auto [rows, grid, block] : sizes) {
    const double expected = integral(rows);
    judge.ask<decltype(early_exit)>(title(rows, grid, block))
        .launches_grid_of(grid)
        .launches_blocks_of(block)
        .with(rows, grid, block, 0)
        .returns_such_that(
            "the integral to be " + text(expected),
            [expected](Tested tested) { return std::fabs(tested.integral - expected) <= 1e-10; },
            [](Tested tested) { return text(tested.integral); });
  }
  judge.run();
}

TEST_CASE("the test accepts the right kernel only") {
  course::Judge judge;
  for (int call = 0; call < 10; ++call) {
    const int kernel = call % 5;
    auto question = judge.ask<decltype(early_exit)>(std::string("the test of ") + kernels[kernel]);
    question.with(call < 5 ? 100 : judge.number(101, 300), 2 * judge.number(1, 4) + 1, 32, kernel)
        .returns_such_that(
            kernel == 0 ? "the test to accept a kernel that is right"
                        : "the test to reject a kernel that is wrong",
            [kernel](Tested tested) { return tested.accepted == (kernel == 0); }, accepted);
    if (kernel == 1) // nothing
      question.needs_no_kernel();
  }
  judge.run();
}

TEST_CASE("the integral as each kernel computes it") {
  course::Judge judge;
  const double factors[] = {1, 0, 0.5, 2, NAN};
  for (int kernel : {1, 2, 3, 4}) {
    const int n = judge.number(100, 300);
    const double expected = factors[kernel] * integral(n);
    auto question =
        judge.ask<decltype(early_exit)>(std::string("the integral of ") + kernels[kernel]);
    question.with(n, 3, 32, kernel)
        .returns_such_that(
            "the integral to be " + text(expected),
            [expected](Tested tested) {
              return std::isnan(expected) ? std::isnan(tested.integral)
                                          : std::fabs(tested.integral - expected) <= 1e-10;
            },
            [](Tested tested) { return text(tested.integral); });
    if (kernel == 1) // nothing
      question.needs_no_kernel();
  }
  judge.run();
}

// A test that knows the number of the kernel tests nothing.
TEST_CASE("the test looks at what the kernel computes") {
  course::Judge judge;
  judge.ask<decltype(early_exit)>("the test of integrate, which this time does nothing")
      .with(judge.number(100, 300), 3, 32, 0)
      .kernels_do_nothing()
      .returns_such_that(
          "the test to reject a kernel that has computed nothing",
          [](Tested tested) { return tested.accepted == 0; }, accepted);
  judge.ask<decltype(early_exit)>("the integral, and no kernel does anything")
      .with(judge.number(100, 300), 3, 32, 0)
      .without_kernels(course::Host::sees_results)
      .returns_such_that(
          "2", [](Tested tested) { return std::fabs(tested.integral - 2) < 1e-3; }, accepted);
  judge.run();
}

TEST_CASE("each call tests anew") {
  course::Judge judge;
  judge.ask<decltype(early_exit)>("the test of integrate, then of half of the value, then again")
      .with(201, 3, 32, 0)
      .with(301, 2, 64, 2)
      .returns_such_that(
          "the test to reject the second kernel, which is wrong",
          [](Tested tested) { return tested.accepted == 0; }, accepted)
      .with(301, 2, 64, 0)
      .returns_such_that(
          "the test to accept the third kernel, which is right",
          [](Tested tested) { return tested.accepted == 1; }, accepted);
  judge.run();
}
