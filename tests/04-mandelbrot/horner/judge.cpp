// Judges exercise 04-mandelbrot/horner: the sums are taken power by power, in long double.
#include "common/grader/judge/judge.hpp"
#include "exercises/04-mandelbrot/horner.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(horner)>;

void call(Question &question, const std::vector<double> &c, const std::vector<double> &x) {
  const int n = int(x.size()), degree = int(c.size()) - 1;
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

// Coefficient k is drawn up to growth^k, and x up to 1 / growth, so that all powers count.
std::vector<double> coefficients(course::Judge &judge, int degree, double growth = 1) {
  auto c = judge.numbers<double>(degree + 1);
  for (int k = 0; k <= degree; ++k)
    c[k] *= std::pow(growth, k);
  return degree > 4 ? judge.sprinkled(c, {0.0}) : c;
}
std::vector<double> points(course::Judge &judge, int n, int degree, double growth = 1) {
  // Of a high degree the last coefficients would be lost below 1, and all others above it.
  const double widest = (degree > 100 ? 1 : 1.1) / growth;
  return judge.sprinkled(judge.numbers<double>(n, -widest, widest),
                         {0.0, 1.0 / growth, -1.0 / growth});
}

void call(course::Judge &judge, Question &question, int n, int degree, double growth = 1) {
  const auto c = coefficients(judge, degree, growth);
  call(question, c, points(judge, n, degree, growth));
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
  auto steep =
      judge.ask<decltype(horner)>("coefficients that are larger from one to the next, then "
                                  "smaller");
  for (double growth : {16.0, 1e4, 1e-4})
    call(judge, steep, judge.number(100, 999), judge.number(25, 30), growth);
  judge.run();
}

TEST_CASE("one polynomial after the other") {
  course::Judge judge;
  const int n = judge.number(300, 999), degree = judge.number(5, 9);
  auto question = ask(judge, n, degree);
  call(judge, question, n, degree); // other numbers
  auto c = coefficients(judge, degree), x = points(judge, n, degree);
  call(question, c, x);
  c[degree / 2] += 1; // this number only
  call(question, c, x);
  x[n / 2] += 0.5;
  call(question, c, x);
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
  ask(judge, 32 * judge.number(30, 150) + 31, 7).without_kernels();
  judge.run();
}

// In the last block, of whatever power of two, are fewer threads than coefficients.
TEST_CASE("as many points as there may be", "[large]") {
  course::Judge judge;
  ask(judge, 1024 * judge.number(1935, 1952) + judge.number(1, 7), 9).launches_at_most(1);
  judge.run();
}
