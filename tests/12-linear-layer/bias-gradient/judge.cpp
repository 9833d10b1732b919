// Judges exercise 12-linear-layer/bias-gradient.
#include "common/grader/judge/judge.hpp"
#include "exercises/12-linear-layer/bias-gradient.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(bias_gradient)>;

Question ask(course::Judge &judge, int examples, int outputs, const std::string &also = "") {
  return judge.ask<decltype(bias_gradient)>(std::to_string(examples) + " examples, " +
                                            std::to_string(outputs) + " outputs" + also);
}

// A sum in double, rounded to float, is right to 6e-8 of itself; 1e-6 of the largest leaves room.
void call(Question &question, int examples, int outputs, const std::vector<float> &error) {
  std::vector<float> expected(outputs), by_column(outputs);
  double largest = 0;
  for (int o = 0; o < outputs; ++o) {
    double sum = 0, beside = 0;
    for (int row = 0; row < examples; ++row) {
      sum += error[row * outputs + o];
      beside += error[o * examples + row];
    }
    expected[o] = 2 * sum / (double(examples) * outputs);
    by_column[o] = 2 * beside / (double(examples) * outputs);
    if (std::isfinite(expected[o]))
      largest = std::fmax(largest, std::fabs(expected[o]));
  }
  question.with(examples, outputs, error,
                course::output(expected, 1e-6 * largest)
                    .often(by_column, "the errors of one output do not lie side by side: `error` "
                                      "is stored row by row, and a row is an example"));
}

void call(course::Judge &judge, Question question, int examples, int outputs) {
  call(question, examples, outputs, judge.numbers<float>(examples * outputs, -1, 2));
}

} // namespace

TEST_CASE("the gradient of each bias") {
  course::Judge judge;
  for (const auto &[outputs, examples] : judge.shapes(1500))
    call(judge, ask(judge, examples, outputs), examples, outputs);
  judge.run();
}

TEST_CASE("an error that is NaN, or infinite") {
  course::Judge judge;
  const int examples = judge.number(40, 90), outputs = judge.number(4, 9);
  for (const float special : {NAN, -INFINITY}) {
    auto question =
        ask(judge, examples, outputs,
            std::isnan(special) ? ": one of the errors is NaN" : ": one of the errors is infinite");
    call(question, examples, outputs,
         judge.sprinkled(judge.numbers<float>(examples * outputs, -1, 2), {special}));
  }
  judge.run();
}

TEST_CASE("errors that cancel") {
  course::Judge judge;
  auto question = ask(judge, 4, 3, ": the gradient of two is 0");
  call(question, 4, 3, {0, 1, 1, 0, 1, -1, 0, 1, 2, 0, 1, -2});
  auto one_left = ask(judge, 3, 2, ": 1 is left of 1e8 + 1 - 1e8");
  call(one_left, 3, 2, {1e8f, 2, 1, -1, -1e8f, -1});
  judge.run();
}

// Among large errors that cancel, a sum in float loses the small ones.
TEST_CASE("sums in double") {
  course::Judge judge;
  const int examples = 2 * judge.number(99'500, 100'000); // more than a grid has blocks in y
  std::vector<float> error(examples);
  for (int i = 0; i < examples; ++i)
    error[i] = (i < examples / 2 ? 1e6f : -1e6f) + judge.number(1, 15) / 16.0f;
  auto question = ask(judge, examples, 1, ": large errors that cancel");
  call(question, examples, 1, error);
  auto small = ask(judge, 300, 4, ": small errors");
  call(small, 300, 4, judge.numbers<float>(1200, 1e-30f, 2e-30f));
  auto above = ask(judge, 2, 2, ": a sum above the largest float, a gradient below");
  call(above, 2, 2, {3e38f, judge.number(-1e38f, 1e38f), 3e38f, judge.number(-1e38f, 1e38f)});
  judge.run();
}

TEST_CASE("called several times; and a kernel that does nothing") {
  course::Judge judge;
  auto several = ask(judge, 70, 50, " and more, one after the other");
  call(judge, several, 70, 50);
  for (int k = 0; k < 2; ++k)
    call(judge, several, judge.number(1, 200), judge.number(1, 200));
  auto error = judge.numbers<float>(70 * 50, -1, 2);
  call(several, 70, 50, error);
  error[error.size() / 2] += 50; // alone
  call(several, 70, 50, error);
  auto idle = ask(judge, 319, 31, ", while kernels do nothing");
  call(judge, idle, 319, 31);
  idle.without_kernels();
  judge.run();
}

// A float does not hold the number of errors.
TEST_CASE("as many outputs and errors as there may be", "[large]") {
  course::Judge judge;
  const int examples = 150, outputs = 200'000 - 2 * judge.number(1, 60);
  const float unit = 1 << 17;
  std::vector<float> error(examples * outputs, unit), expected(outputs, 2 * unit / outputs);
  error.back() = (1 + examples) * unit;
  expected.back() = 4 * unit / outputs;
  ask(judge, examples, outputs).with(examples, outputs, error, course::output(expected, 1e-6));
  judge.run();
}
