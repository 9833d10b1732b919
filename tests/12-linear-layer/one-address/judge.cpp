// Judges exercise 12-linear-layer/one-address: sums of which a float keeps few digits, and how
// often the kernel writes.
#include "common/grader/judge/judge.hpp"
#include "exercises/12-linear-layer/one-address.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace {

using Question = course::Question<decltype(one_address)>;

Question ask(course::Judge &judge, int examples, const std::string &also = "") {
  return judge.ask<decltype(one_address)>(std::to_string(examples) + " examples" + also);
}

void call(Question &question, const std::vector<float> &error) {
  double sum = 0, size = 0, of_all_lanes = 0, of_first_warps = 0;
  for (float value : error) {
    sum += value;
    size += std::fabs(value);
  }
  for (std::size_t first = 0; first < error.size(); first += 32) {
    double lanes[32] = {};
    for (std::size_t lane = 0; lane < 32 && first + lane < error.size(); ++lane)
      lanes[lane] = error[first + lane];
    for (int away = 16; away > 0; away /= 2)
      for (int lane = 0; lane < 32; ++lane) // without a partner it gets its own number
        lanes[lane] += lanes[lane + away < 32 ? lane + away : lane];
    for (double lane : lanes)
      of_all_lanes += lane;
    of_first_warps += first % 256 == 0 ? lanes[0] : 0;
  }
  const double examples = error.size();
  question.with(int(examples), error)
      .returns(2 * sum / examples, 1e-9 * size / examples,
               {{2 * of_all_lanes / examples,
                 "each lane adds what it has, and only lane 0 has the sum of the warp"},
                {2 * of_first_warps / examples,
                 "one thread of each block adds the sum of its warp, and the other warps of the "
                 "block have sums of their own"}});
}

} // namespace

TEST_CASE("the gradient of one bias") {
  course::Judge judge;
  for (int n : judge.sizes(1'000'003)) {
    auto question = ask(judge, n);
    call(question, judge.numbers<float>(n, 0.05f, 0.15f));
  }
  const int n = judge.number(30'000, 60'000);
  auto both = ask(judge, n, ": of both signs");
  call(both, judge.numbers<float>(n, -1, 1));
  // Beside the first error the others are below a float's last digit; together they are not.
  auto outlier = judge.numbers<float>(n, 0.01f, 0.02f);
  outlier[0] = 1e6f;
  auto large = ask(judge, n, ": the first error is a million");
  call(large, outlier);
  auto none = ask(judge, n, ": one of them is NaN");
  call(none, judge.sprinkled(judge.numbers<float>(n, -1, 1), {NAN}));
  judge.run();
}

// Sums of integers have a fixed unit: small errors are lost beside it, or large ones overflow.
TEST_CASE("in other units") {
  course::Judge judge;
  for (float unit : {1e-40f, 1e38f}) {
    const int n = judge.number(1000, 3000);
    auto question = ask(judge, n, unit < 1 ? ", small errors" : ", large errors");
    call(question, judge.numbers<float>(n, unit, 2 * unit));
  }
  judge.run();
}

TEST_CASE("several in one process; and a kernel that does nothing") {
  course::Judge judge;
  auto several = ask(judge, 3000, ", then fewer, then more, then one more that has changed");
  std::vector<float> error;
  for (int n : {3000, judge.number(1, 300), judge.number(4000, 9000)})
    call(several, error = judge.numbers<float>(n, 1, 2));
  error[error.size() / 2] = -100;
  call(several, error);
  const int n = 32 * judge.number(60, 99) + 31;
  auto idle = ask(judge, n, ", while kernels do nothing");
  call(idle, judge.numbers<float>(n, 1, 2));
  idle.without_kernels();
  judge.run();
}

TEST_CASE("about one atomic addition to global memory per warp") {
  course::Judge judge;
  // The last block is whole, empty but for one error, or full but for some; errors of both signs.
  for (int n : {1024 * judge.number(3, 9), 1024 * judge.number(3, 9) + 1,
                256 * judge.number(1, 3) + judge.number(200, 255), judge.number(3000, 9000),
                (1 << 20) + judge.number(1, 9000)}) {
    auto question = ask(judge, n, ", counted");
    auto error = judge.numbers<float>(n, n % 2 ? -0.1f : 0.05f, 0.15f);
    for (float &its : error) // all are added in the same way: small, large, 0
      its *= std::pow(10.0f, judge.number(-9, 9)) * judge.number(0, 3);
    call(question, error);
    question.at_most(&course::Work::global_stores, n / 32 + 64, // CUB makes 64
                     "each atomic addition is one. The device makes those to one address one after "
                     "the other: add within a warp first.");
  }
  judge.run();
}

// A float does not hold the number of errors.
TEST_CASE("as many examples as there may be", "[large]") {
  course::Judge judge;
  const int n = 16'999'999 - 2 * judge.number(0, 1000);
  std::vector<float> error(n, 0.5f);
  error.back() = 1 << 20;
  ask(judge, n).with(n, error).returns((n - 1 + 2.0 * error.back()) / n, 1e-9);
  judge.run();
}
