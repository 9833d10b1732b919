// Judges exercise 00-from-python/centre, beside means in double: in each case x and y are special
// in turn.
#include "common/grader/judge/judge.hpp"
#include "exercises/00-from-python/centre.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace {

struct Mean {
  double value, of_sizes; // of |x|

  explicit Mean(const std::vector<float> &values)
      : value(std::accumulate(values.begin(), values.end(), 0.0) / values.size()),
        of_sizes(std::accumulate(values.begin(), values.end(), 0.0,
                                 [](double sum, double x) { return sum + std::fabs(x); }) /
                 values.size()) {}

  // A float beside it, or the next one, or the smallest of all; and sums in another order.
  bool is(float came) const {
    return std::isnan(value) ? std::isnan(came)
           : std::isinf(value)
               ? came == float(value)
               : std::fabs(came - value) < 1.2e-7 * std::fabs(value) + 1e-12 * of_sizes + 1e-45;
  }
};

std::string text(Point p) {
  std::ostringstream out;
  out.precision(9);
  out << "(" << p.x << ", " << p.y << ")";
  return out.str();
}

using Question = course::Question<decltype(centre)>;

void ask_also(Question question, const std::vector<float> &x, const std::vector<float> &y) {
  const Mean of_x(x), of_y(y);
  question.needs_no_kernel()
      .with(x, y, int(x.size()))
      .returns_such_that(
          text({float(of_x.value), float(of_y.value)}),
          [=](Point p) { return of_x.is(p.x) && of_y.is(p.y); }, text);
}

void ask(course::Judge &judge, const std::string &title, const std::vector<float> &x,
         const std::vector<float> &y) {
  ask_also(judge.ask<decltype(centre)>(title), x, y);
}

} // namespace

TEST_CASE("the mean of points") {
  course::Judge judge;
  const auto x = [&](int n) { return judge.numbers<float>(n, -1, 2); };
  const auto y = [&](int n) { return judge.numbers<float>(n, -8, -4); };
  for (int n : {judge.number(3, 9), 1, judge.number(100, 200), judge.number(900'000, 1'000'000)})
    ask(judge, std::to_string(n) + (n == 1 ? " point" : " points"), x(n), y(n));
  const int n = judge.number(20, 90);
  const auto in_turn = [&](const std::string &title, const std::vector<float> &special) {
    ask(judge, title + " for x", special, y(n));
    ask(judge, title + " for y", x(n), special);
  };
  in_turn("numbers whose sum is no float", judge.numbers<float>(n, 2e38f, 3.4e38f));
  in_turn("numbers below 1e-38", std::vector<float>(n, 1e-43f));
  auto two_large = judge.numbers<float>(n, 0.25f, 1);
  two_large[1] = 1e8f, two_large[n - 1] = -1e8f;
  in_turn("two large numbers, whose sum is 0, among small ones", two_large);
  auto some_x = x(n), some_y = y(n);
  auto changed = judge.ask<decltype(centre)>("points, then another x, then another y");
  ask_also(changed, some_x, some_y);
  some_x[n / 2] += 3;
  ask_also(changed, some_x, some_y);
  some_y[n / 2] += 3;
  ask_also(changed, some_x, some_y);
  in_turn("a NaN among numbers", judge.sprinkled(x(n), {NAN}));
  in_turn("an infinite number", judge.sprinkled(x(n), {INFINITY}));
  in_turn("minus infinity among numbers", judge.sprinkled(x(n), {-INFINITY}));
  in_turn("both infinities, whose sum is NaN", judge.sprinkled(x(n), {INFINITY, -INFINITY}));
  judge.run();
}

TEST_CASE("millions of points", "[large]") {
  course::Judge judge;
  const int n = 5'999'999;
  std::vector<float> x(n, 1), y(n, -2);
  std::fill(x.begin() + n / 2, x.end(), 3.0f);
  std::fill(y.begin() + n / 2, y.end(), 4.0f);
  ask(judge, "5999999 points", x, y);
  judge.run();
}
