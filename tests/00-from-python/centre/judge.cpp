// Judges exercise 00-from-python/centre, beside means in double.
#include "exercises/00-from-python/centre.hpp"
#include "common/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

TEST_CASE("the mean of points") {
  course::Judge judge;
  const auto text = [](Point p) {
    std::ostringstream out;
    out << "(" << p.x << ", " << p.y << ")";
    return out.str();
  };
  const auto same = [](float came, double mean) {
    return std::isnan(mean)   ? std::isnan(came)
           : std::isinf(mean) ? came == float(mean)
                              : std::fabs(came - mean) < 2e-6 * std::max(1.0, std::fabs(mean));
  };
  const auto ask = [&](const std::string &title, const std::vector<float> &x,
                       const std::vector<float> &y) {
    const int n = int(x.size());
    const auto mean = [n](const std::vector<float> &values) {
      return std::accumulate(values.begin(), values.end(), 0.0) / n;
    };
    const double x_mean = mean(x), y_mean = mean(y);
    judge.ask<decltype(centre)>(title).needs_no_kernel().with(x, y, n).returns_such_that(
        text({float(x_mean), float(y_mean)}),
        [=](Point p) { return same(p.x, x_mean) && same(p.y, y_mean); }, text);
  };
  const auto x = [&](int n) { return judge.numbers<float>(n, -1, 2); };
  const auto y = [&](int n) { return judge.numbers<float>(n, -8, -4); };
  for (int n : {judge.number(3, 9), 1, judge.number(100, 200), judge.number(900'000, 1'000'000)})
    ask(std::to_string(n) + (n == 1 ? " point" : " points"), x(n), y(n));
  const int n = judge.number(20, 90);
  ask("numbers whose sum is no float", judge.numbers<float>(n, 2e38f, 3.4e38f), y(n));
  ask("a NaN among the x", judge.sprinkled(x(n), {NAN}), y(n));
  ask("an infinite x", judge.sprinkled(x(n), {INFINITY}), y(n));
  judge.run();
}
