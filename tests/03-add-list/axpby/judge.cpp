// Judges exercise 03-add-list/axpby: lists and factors of any size, both signs.
#include "common/grader/judge/judge.hpp"
#include "exercises/03-add-list/axpby.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(axpby)>;

// `scale` is the largest |x| and |y|. The terms are at most 2 of it each; the two products are
// right to 2 * 2^-24 each, their sum to 4 * 2^-24, and the expected sum, which is rounded once, to
// another 4 * 2^-24: 12 * 2^-24 = 7.2e-7, in whatever order, fused or not.
const double tolerance = 7.5e-7;

void ask_also(Question &question, float a, const std::vector<float> &x, float b,
              const std::vector<float> &y, double scale) {
  std::vector<float> expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    expected[i] = float(double(a) * x[i] + double(b) * y[i]);
  question.with(int(x.size()), a, x, b, course::in_out(y, expected, tolerance * scale));
}

float factor(course::Judge &judge) { // neither 0 nor 1
  return judge.number(0.1f, 0.9f) * float(judge.number(1, 2)) * (judge.number(0, 1) ? 1 : -1);
}

void ask_also(course::Judge &judge, Question &question, int n, float scale = 1) {
  const auto x = judge.numbers<float>(n, -scale, scale), y = judge.numbers<float>(n, -scale, scale);
  const float a = factor(judge);
  float b = factor(judge);
  while (std::fabs(a - b) < 0.05f) // so exchanged ones show
    b = factor(judge);
  ask_also(question, a, x, b, y, scale);
}

std::string title(int n) { return "n = " + std::to_string(n); }

} // namespace

TEST_CASE("y becomes a x + b y") {
  course::Judge judge;
  for (int n : judge.sizes(1'000'003)) {
    auto question = judge.ask<decltype(axpby)>(title(n));
    ask_also(judge, question, n);
  }
  judge.run();
}

TEST_CASE("factors and numbers that are special") {
  course::Judge judge;
  const int n = judge.number(300, 3000);
  const auto x = judge.numbers<float>(n), y = judge.numbers<float>(n);
  auto plain = judge.ask<decltype(axpby)>(title(n) + ", factors of 0, 1, -1 and nearly 0");
  for (auto [a, b] :
       {std::pair(1.0f, 0.0f), {0.0f, 0.0f}, {0.0f, 1.0f}, {-1.0f, 1.0f}, {1.0f, 1e-3f}})
    ask_also(plain, a, x, b, y, 1);
  auto scaled = judge.ask<decltype(axpby)>(title(n) + ", very large numbers, then very small ones");
  ask_also(judge, scaled, n, std::ldexp(1.0f, judge.number(80, 120)));
  ask_also(judge, scaled, n, std::ldexp(1.0f, judge.number(-120, -105)));
  auto apart = judge.ask<decltype(axpby)>(title(n) + ", factors whose ratio is above any float");
  ask_also(apart, 1e-30f, x, 1e10f, y, 1e10);
  ask_also(apart, 1e10f, x, 1e-30f, y, 1e10);
  auto infinite = judge.ask<decltype(axpby)>(title(n) + ", infinite ones among them");
  ask_also(infinite, factor(judge), judge.sprinkled(x, {INFINITY, -INFINITY, NAN, -0.0f}),
           factor(judge), judge.sprinkled(y, {-INFINITY, NAN, 0.0f}), 1);
  for (auto [a, b] : {std::pair(0.0f, 1.0f), {1.0f, 0.0f}, {0.0f, 0.0f}})
    ask_also(infinite, a, judge.sprinkled(x, {INFINITY, NAN}), b,
             judge.sprinkled(y, {-INFINITY, NAN}), 1);
  auto at_the_end = y;
  at_the_end.back() = INFINITY;
  ask_also(infinite, 1, x, 0, at_the_end, 1);
  auto factors = judge.ask<decltype(axpby)>(title(n) + ", zeros among them, infinite factors");
  ask_also(factors, INFINITY, judge.sprinkled(x, {0.0f, -0.0f}), factor(judge), y, 1);
  ask_also(factors, factor(judge), x, -INFINITY, judge.sprinkled(y, {0.0f, -0.0f}), 1);
  for (auto [a, b] : {std::pair(INFINITY, 0.0f), {0.0f, -INFINITY}, {INFINITY, -INFINITY}})
    ask_also(factors, a, x, b, judge.sprinkled(y, {0.0f, -0.0f}), 1);
  judge.run();
}

TEST_CASE("y becomes a x + b y, called several times") {
  course::Judge judge;
  const int small = judge.number(2, 2000), large = judge.number(3000, 6000);
  auto question = judge.ask<decltype(axpby)>(title(small) + ", then " + std::to_string(large) +
                                             " twice, then " + std::to_string(small));
  for (int n : {small, large, large, small})
    ask_also(judge, question, n);
  auto x = judge.numbers<float>(large), y = judge.numbers<float>(large);
  auto changed = judge.ask<decltype(axpby)>(title(large) + " thrice, and one number has changed");
  ask_also(changed, 0.75f, x, 0.5f, y, 1);
  x[judge.number(1, large - 2)] = 2;
  ask_also(changed, 0.75f, x, 0.5f, y, 2);
  y[judge.number(1, large - 2)] = 2;
  ask_also(changed, 0.75f, x, 0.5f, y, 2);
  judge.run();
}

TEST_CASE("who does the work, and who notices that it is not done") {
  course::Judge judge;
  const int n = 32 * judge.number(10, 90) + 31; // no block, warp or vector is full at the end
  auto idle = judge.ask<decltype(axpby)>(title(n) + ", and the kernel does nothing");
  ask_also(judge, idle, n);
  idle.without_kernels();
  auto refused = judge.ask<decltype(axpby)>(title(n) + ", and the launch fails");
  ask_also(judge, refused, n);
  refused.launches_fail().fails("invalid argument");
  judge.run();
}

// A float does not hold the number of elements: blocks that are counted in float are one too few.
TEST_CASE("more blocks of 256 than 65535", "[large]") {
  course::Judge judge;
  const int n = course::above_floats;
  auto question = judge.ask<decltype(axpby)>(title(n));
  ask_also(question, 0.75f, std::vector<float>(n, 2.0f), 0.5f, std::vector<float>(n, 4.0f), 4);
  judge.run();
}
