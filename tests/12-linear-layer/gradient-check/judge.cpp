// Judges exercise 12-linear-layer/gradient-check: the estimates, and what it says of right and of
// wrong gradients.
#include "common/grader/judge/judge.hpp"
#include "exercises/12-linear-layer/gradient-check.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace {

using Question = course::Question<decltype(gradient_check)>;

// A layer with one output, its examples, and its gradient by the formula.
struct Layer {
  int examples, features;
  std::vector<double> x, target, w, gradient;
  double largest = 0; // derivative, by its absolute value

  // One weight is 0. first: size of the first feature's values; unit: of all values and targets.
  Layer(course::Judge &judge, int its_examples, int its_features, double first = 1, double unit = 1)
      : examples(its_examples), features(its_features),
        x(judge.numbers<double>(examples * features, -unit, 2 * unit)),
        target(judge.numbers<double>(examples, -unit, unit)),
        w(judge.sprinkled(judge.numbers<double>(features, -1, 1), {0.0})) {
    for (int row = 0; row < examples; ++row)
      x[row * features] *= first;
    derive();
  }

  // As after training: the errors are small.
  void fit() {
    for (int row = 0; row < examples; ++row)
      target[row] = predicted(row) + 1e-3 * target[row];
    derive();
  }

  // Two examples of the same features each, with large errors of opposite signs: the loss is large,
  // and its derivatives are not.
  void spread() {
    for (int row = 0; row + 1 < examples; row += 2) {
      std::copy_n(&x[row * features], features, &x[(row + 1) * features]);
      target[row + 1] = target[row] - 300;
      target[row] += 300;
    }
    derive();
  }

  double predicted(int row) const {
    return std::inner_product(w.begin(), w.end(), &x[row * features], 0.0);
  }

  void derive() {
    gradient.assign(features, 0);
    for (int row = 0; row < examples; ++row) {
      const double error = predicted(row) - target[row];
      for (int k = 0; k < features; ++k)
        gradient[k] += 2 * error * x[row * features + k] / examples;
    }
    largest = 0;
    for (double derivative : gradient)
      largest = std::fmax(largest, std::fabs(derivative));
  }

  // Within what the contract allows, and not far within.
  std::vector<double> nearly_right(course::Judge &judge) const {
    auto said = gradient;
    for (double &derivative : said)
      derivative += (judge.number(0, 1) ? 0.000995 : -0.000995) * largest;
    return said;
  }

  std::string size() const {
    return std::to_string(examples) + " examples, " + std::to_string(features) + " features";
  }

  void call(Question question, const std::vector<double> &said, int first_wrong) const {
    question.with(examples, features, x, target, w, said, course::output(gradient, 1e-6 * largest))
        .returns(first_wrong);
  }
};

} // namespace

TEST_CASE("right gradients") {
  course::Judge judge;
  for (const auto &[features, examples] : judge.shapes(60)) {
    const Layer layer(judge, examples, features);
    layer.call(judge.ask<decltype(gradient_check)>("right: " + layer.size()), layer.gradient, -1);
  }
  Layer layer(judge, 40, 70);
  layer.call(judge.ask<decltype(gradient_check)>("nearly right: " + layer.size()),
             layer.nearly_right(judge), -1);
  layer.fit();
  layer.call(judge.ask<decltype(gradient_check)>("near the minimum of the loss: " + layer.size()),
             layer.gradient, -1);
  Layer far(judge, 40, 70);
  far.spread();
  far.call(judge.ask<decltype(gradient_check)>("errors that cancel: " + far.size()), far.gradient,
           -1);
  judge.run();
}

TEST_CASE("wrong gradients") {
  course::Judge judge;
  const Layer layer(judge, judge.number(20, 50), judge.number(65, 90));
  const auto ask = [&](const std::string &what, const std::vector<double> &said, int first_wrong) {
    layer.call(judge.ask<decltype(gradient_check)>(what + ": " + layer.size()), said, first_wrong);
  };
  const int i = judge.number(3, layer.features - 4);
  for (double off : {0.001005, -0.001005, 3.0, -double(INFINITY)}) {
    auto said = layer.gradient;
    said[i] += off * layer.largest;
    ask("weight " + std::to_string(i) + " is off", said, i);
  }
  auto ends = layer.gradient;
  ends[0] -= 0.1 * layer.largest;
  ends[i] += 1e4 * layer.largest;
  ask("the first one and a later one are off, the later one by far more", ends, 0);
  auto last = layer.gradient;
  last[layer.features - 1] += 0.1 * layer.largest;
  ask("the last one is off", last, layer.features - 1);
  auto unknown = layer.gradient;
  unknown[i] = NAN;
  unknown[i + 1] += layer.largest;
  ask("one is NaN, and the next is off", unknown, i);
  unknown[i - 1] += layer.largest;
  ask("one is NaN, and those beside it are off", unknown, i - 1);
  const auto size = [](double a, double b) { return std::fabs(a) < std::fabs(b); };
  auto opposite = layer.gradient;
  const auto largest = std::max_element(opposite.begin(), opposite.end(), size);
  *largest *= -1;
  ask("one has the wrong sign", opposite, largest - opposite.begin());
  judge.run();
}

TEST_CASE("in other units") {
  course::Judge judge;
  for (double unit : {1e-25, 1e5}) {
    const Layer layer(judge, judge.number(20, 50), judge.number(20, 40), 1, unit);
    const std::string size = layer.size() + (unit < 1 ? ", small" : ", large") + " numbers";
    layer.call(judge.ask<decltype(gradient_check)>("nearly right: " + size),
               layer.nearly_right(judge), -1);
    const int i = judge.number(0, layer.features - 1);
    auto said = layer.gradient;
    said[i] += 0.001005 * layer.largest;
    layer.call(
        judge.ask<decltype(gradient_check)>("weight " + std::to_string(i) + " is off: " + size),
        said, i);
  }
  judge.run();
}

// Its first derivative is small beside the others: nothing may be divided by it.
TEST_CASE("a small derivative") {
  course::Judge judge;
  const Layer layer(judge, 30, 20, 1e-7);
  auto said = layer.gradient;
  said[0] += 1e-5 * layer.largest;
  layer.call(judge.ask<decltype(gradient_check)>("the first derivative is small: " + layer.size()),
             said, -1);
  const Layer without(judge, 30, 20, 0);
  said = without.gradient;
  said[0] += 1e-2 * without.largest;
  without.call(judge.ask<decltype(gradient_check)>(
                   "the first feature is always 0, and said to matter: " + without.size()),
               said, 0);
  judge.run();
}

// All derivatives are 0, and so is what they may differ by.
TEST_CASE("no feature matters") {
  course::Judge judge;
  const Layer layer(judge, judge.number(2, 30), 1, 0);
  layer.call(judge.ask<decltype(gradient_check)>("all derivatives are 0: " + layer.size()),
             layer.gradient, -1);
  judge.run();
}

TEST_CASE("several in one process; and a kernel that does nothing") {
  course::Judge judge;
  const Layer first(judge, 63, 95), second(judge, 7, 65);
  auto said = second.gradient;
  said[64] = 2 * first.largest + 2 * second.largest;
  auto several = judge.ask<decltype(gradient_check)>("a right one, then a wrong one");
  first.call(several, first.gradient, -1);
  second.call(several, said, 64);
  said = first.gradient;
  first.call(several, said, -1);
  said[47] += first.largest; // alone
  first.call(several, said, 47);
  auto idle = judge.ask<decltype(gradient_check)>("while kernels do nothing");
  first.call(idle, first.gradient, -1);
  idle.without_kernels();
  judge.run();
}

TEST_CASE("many examples; many features", "[large]") {
  course::Judge judge;
  const Layer tall(judge, judge.number(99'500, 100'000), 10);
  tall.call(judge.ask<decltype(gradient_check)>("right: " + tall.size()), tall.gradient, -1);
  const Layer layer(judge, 1, judge.number(4900, 5000));
  auto said = layer.gradient;
  said.back() += 0.1 * layer.largest;
  layer.call(judge.ask<decltype(gradient_check)>("the last one is off: " + layer.size()), said,
             layer.features - 1);
  judge.run();
}
