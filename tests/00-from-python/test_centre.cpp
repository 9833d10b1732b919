// Judges exercise 00-from-python/centre, beside means in double.
#include "exercises/00-from-python/centre.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

#include <numeric>

TEST_CASE("the mean of points") {
  course::Judge judge;
  const auto text = [](Point p) {
    std::ostringstream out;
    out << "(" << p.x << ", " << p.y << ")";
    return out.str();
  };
  for (int n : {judge.number(3, 9), 1, judge.number(100, 200), judge.number(900'000, 1'000'000)}) {
    const auto x = judge.numbers<float>(n, -1, 2), y = judge.numbers<float>(n, -8, -4);
    const auto mean = [n](const std::vector<float> &values) {
      return std::accumulate(values.begin(), values.end(), 0.0) / n;
    };
    const double x_mean = mean(x), y_mean = mean(y);
    judge.ask<decltype(centre)>(std::to_string(n) + (n == 1 ? " point" : " points"))
        .needs_no_kernel()
        .with(x, y, n)
        .returns_such_that(
            text({float(x_mean), float(y_mean)}),
            [=](Point p) {
              return std::fabs(p.x - x_mean) < 2e-6 && std::fabs(p.y - y_mean) < 2e-6;
            },
            text);
  }
  judge.run();
}
