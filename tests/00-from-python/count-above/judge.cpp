// Judges exercise 00-from-python/count-above; the limit is one of the values, too.
#include "common/grader/judge/judge.hpp"
#include "exercises/00-from-python/count-above.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(count_above)>;

void ask_also(Question question, const std::vector<float> &values, float limit) {
  int count = 0;
  for (float value : values)
    count += value > limit ? 1 : 0;
  question.needs_no_kernel().with(values, int(values.size()), limit).returns(count);
}

Question ask(course::Judge &judge, const std::string &title, const std::vector<float> &values,
             float limit) {
  auto question = judge.ask<decltype(count_above)>(title);
  ask_also(question, values, limit);
  return question;
}

} // namespace

TEST_CASE("how many values are above a limit") {
  course::Judge judge;
  ask(judge, "10 values", judge.numbers<float>(10), 0);
  const auto values = judge.numbers<float>(judge.number(1100, 3000), -10, 10);
  ask(judge, "about half of the values", values, judge.number(-1.0f, 1.0f));
  ask(judge, "the limit is a value, which is not above itself", values,
      values[judge.number(0, 800)]);
  ask(judge, "the limit is negative", values, judge.number(-9.0f, -5.0f));
  ask(judge, "only fractions of 1", judge.numbers<float>(100, 0.1f, 0.9f), 0);
  ask(judge, "among them infinity, NaN and the floats next to the limit",
      judge.sprinkled(values, {2, std::nextafter(2.0f, 1.0f), std::nextafter(2.0f, 3.0f), INFINITY,
                               -INFINITY, NAN, NAN}),
      2);
  ask(judge, "among them infinity, which is the limit",
      judge.sprinkled(values, {INFINITY, INFINITY}), INFINITY);
  ask(judge, "among them minus infinity, which is the limit, and NaN",
      judge.sprinkled(values, {-INFINITY, -INFINITY, NAN}), -INFINITY);
  ask(judge, "the limit is NaN", judge.sprinkled(values, {NAN, INFINITY}), NAN);
  ask(judge, "the limit is -0, and some are 0", judge.sprinkled(values, {0, 0, -0.0f}), -0.0f);
  ask(judge, "some are smaller than 1e-38, and the limit is",
      judge.sprinkled(values, {2e-40f, 1e-40f, 0, -1e-40f}), 1e-40f);
  auto with_nan = values;
  for (std::size_t i = 0; i < with_nan.size(); i += 3)
    with_nan[i] = NAN;
  ask(judge, "every third is NaN", with_nan, judge.number(-1.0f, 1.0f));
  auto changed = values;
  changed[0] = values[0] > 0 ? -1 : 1;
  const auto again = ask(judge, "other limits, then one other value", values, 0);
  ask_also(again, values, 5);
  ask_also(again, changed, 5);
  ask_also(again, changed, 0);
  ask(judge, "none", values, 10);
  ask(judge, "all", values, -11);
  ask(judge, "one value", judge.numbers<float>(1, 1, 2), 0);
  judge.run();
}

TEST_CASE("more values than a float counts", "[large]") {
  course::Judge judge;
  ask(judge, "16999999 values, all above it", std::vector<float>(16'999'999, 1.0f), 0);
  judge.run();
}
