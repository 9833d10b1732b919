// Judges exercise 00-from-python/extremes: values on both sides of 0 and on one; the extremes at
// each place.
#include "common/grader/judge/judge.hpp"
#include "exercises/00-from-python/extremes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

TEST_CASE("the smallest and the largest value") {
  course::Judge judge;
  using Question = course::Question<decltype(extremes)>;
  const auto ask_also = [&](Question question, const std::vector<float> &values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const auto extreme = [&](float value) {
      return course::output(std::vector{value})
          .often({values.front()}, "still the first value: widen changes copies of its parameters, "
                                   "or is not called");
    };
    question.needs_no_kernel().with(values, int(values.size()), extreme(*low), extreme(*high));
  };
  const auto ask = [&](const std::string &title, const std::vector<float> &values) {
    ask_also(judge.ask<decltype(extremes)>(title), values);
  };
  const auto ascending = [](std::vector<float> values) {
    std::sort(values.begin(), values.end());
    return values;
  };
  ask("5 3 8 1 7", {5, 3, 8, 1, 7});
  ask("10 values", judge.numbers<float>(10));
  ask("1000 values", judge.numbers<float>(judge.number(900, 1000), -1000, 1000));
  ask("two values", judge.numbers<float>(2));
  ask("one value", judge.numbers<float>(1, 1, 2));
  ask("positive values", judge.numbers<float>(100, 1, 2));
  ask("negative values", judge.numbers<float>(100, -2, -1));
  const auto values = ascending(judge.numbers<float>(50));
  ask("ascending values", values);
  ask("descending values", {values.rbegin(), values.rend()});
  auto changed = values;
  const auto question =
      judge.ask<decltype(extremes)>("the same values, then another one among them");
  ask_also(question, values);
  changed[25] = 2;
  ask_also(question, changed);
  changed[25] = -2;
  ask_also(question, changed);
  ask("very large values", judge.numbers<float>(20, 1e37f, 3e38f));
  ask("infinity alone", {INFINITY, INFINITY});
  ask("minus infinity alone", {-INFINITY});
  ask("infinity among numbers", judge.sprinkled(values, {INFINITY}));
  ask("minus infinity among numbers", judge.sprinkled(values, {-INFINITY}));
  ask("values smaller than 1e-38", {2e-40f, 1e-40f, 3e-40f});
  ask("values that differ little", {1, std::nextafter(1.0f, 0.0f), std::nextafter(1.0f, 2.0f)});
  judge.run();
}

TEST_CASE("millions of values, and the extremes at the end", "[large]") {
  course::Judge judge;
  std::vector<float> values(5'999'999, 1.0f);
  values[values.size() - 2] = 2;
  values.back() = -2;
  judge.ask<decltype(extremes)>("5999999 values")
      .needs_no_kernel()
      .with(values, int(values.size()), course::output<float>({-2}), course::output<float>({2}));
  judge.run();
}
