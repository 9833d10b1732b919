// Programs with NCCL in the grader's sandbox, in one process and in several.
#include "common/grader/judge/judge.hpp"
#include "tests/grader/sum.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("sum") {
  course::Judge judge;
  for (const auto &[ranks, devices] : {std::pair{1, 3}, {3, 1}, {2, 2}}) {
    const int n = judge.number(1000, 2000);
    auto question = judge
                        .ask<decltype(sum)>(std::to_string(ranks) + " ranks with " +
                                            std::to_string(devices) + " devices")
                        .ranks(ranks)
                        .environment("COURSE_CPU_DEVICES", std::to_string(devices))
                        .needs_no_kernel();
    std::vector<std::vector<float>> lists(ranks);
    std::vector<float> sums(n);
    for (auto &list : lists) {
      for (int number : judge.numbers<int>(n, 1, 1000))
        list.push_back(float(number));
      for (int i = 0; i < n; ++i)
        sums[i] += list[i];
    }
    for (const auto &list : lists)
      question.with(n, course::in_out(list, sums));
  }
  judge.run();
}
