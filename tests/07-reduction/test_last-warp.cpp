// Judges exercise 07-reduction/last-warp. Whole numbers: their sums are exact in any order.
#include "exercises/07-reduction/last-warp.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("each block's sum") {
  course::Judge judge;
  for (int block : {256, 64, 128, 1024, 512, 64}) { // each in more than one order
    const int n = judge.number(3, 9) * block + judge.number(1, block);
    std::vector<float> x(n), sums((n + block - 1) / block);
    for (int i = 0; i < n; ++i) {
      x[i] = judge.number(-500, 1000);
      sums[i / block] += x[i];
    }
    judge
        .ask<decltype(last_warp)>("n = " + std::to_string(n) + ", blocks of " +
                                  std::to_string(block) + " threads")
        .with(n, x, course::output(sums), block);
  }
  judge.run();
}
