// Judges exercise 04-mandelbrot/horner: the sums are taken power by power, in long double.
#include "common/grader/judge/judge.hpp"
#include "exercises/04-mandelbrot/horner.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(horner)>;

// Coefficient k is drawn up to growth^k, and x up to 1 / growth, so that all powers count.
void call(course::Judge &judge, Question &question, int n, int degree, double growth = 1) {
  auto c = judge.numbers<double>(degree + 1);
  for (int k = 0; k <= degree; ++k)
    c[k] *= std::pow(growth, k);
  if (degree > 4)
    c = judge.sprinkled(c, {0.0});
  // Of a high degree the last coefficients would be lost below 1, and all others above it.
  const double widest = (degree > 100 ? 1 : 1.1) / growth;
  const auto x = judge.sprinkled(judge.numbers<double>(n, -widest, widest),
                                 {0.0, 1.0 / growth, -1.0 / growth});
  std::vector<double> y(n), without_first(n);
  double most = 0; // of the sums of absolute values, which bounds the rounding
  for (int i = 0; i < n; ++i) {
    long double sum = 0, rest = 0, power = 1, size = 0;
    for (int k = 0; k <= degree; ++k) {
      sum += c[k] * power;
      size += std::abs(c[k] * power);
      rest += k < degree ? c[k + 1] * power : 0;
      power *= x[i];
    }
    y[i] = static_cast<double>(sum);
    without_first[i] = static_cast<double>(rest);
    most = std::max(most, static_cast<double>(size));
  }
  question.with(n, degree, c, x,
                course::output(y, 1e-15 * (degree + 2) * most)
                    .often(without_first, "the loop ends before c[0]"));
}

Question ask(course::Judge &judge, int n, int degree) {
  auto question =
      judge.ask<decltype(horner)>(std::to_string(n) + " points, degree " + std::to_string(degree));
  call(judge, question, n, degree);
  return question;
}

} // namespace

TEST_CASE("polynomials") {
  course::Judge judge;
  for (int n : judge.sizes(100'000))
    ask(judge, n, judge.number(2, 30));
  ask(judge, judge.number(100, 999), 0);
  ask(judge, judge.number(100, 999), 1);
  ask(judge, judge.number(3, 9), judge.number(1100, 1999));
  ask(judge, judge.number(300, 400), 2000); // more than a block has threads, of points, too
  auto steep = judge.ask<decltype(horner)>("coefficients that are larger from one to the next");
  call(judge, steep, judge.number(100, 999), judge.number(20, 30), 16);
  judge.run();
}

TEST_CASE("one polynomial after the other") {
  course::Judge judge;
  const int n = judge.number(300, 999), degree = judge.number(5, 9);
  auto question = ask(judge, n, degree);
  call(judge, question, n, degree); // other numbers
  call(judge, question, 2 * n, degree);
  call(judge, question, 2 * n, 3 * degree);
  call(judge, question, n, degree);
  judge.run();
}

TEST_CASE("one kernel, which stores each y once") {
  course::Judge judge;
  for (int degree : {0, judge.number(10, 30)}) {
    const int n = judge.number(1000, 5000);
    ask(judge, n, degree)
        .launches_at_most(1)
        .at_most(&course::Work::global_stores, n,
                 "the sum is kept in y, in memory, where it should be a variable of the thread");
  }
  ask(judge, judge.number(1000, 5000), 7).without_kernels();
  judge.run();
}

TEST_CASE("more than a million points", "[large]") {
  course::Judge judge;
  ask(judge, judge.number(1'050'000, 1'060'000), 2).launches_at_most(1); // above 4096 blocks of 256
  judge.run();
}
