// Judges exercise 00-from-python/blocks-needed: block after block is counted until all elements are
// covered.
#include "exercises/00-from-python/blocks-needed.hpp"
#include "common/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("blocks that cover n elements") {
  course::Judge judge;
  const auto ask = [&](int n, int block) {
    int blocks = 0;
    for (long long covered = 0; covered < n; covered += block)
      ++blocks;
    const auto text = [](int number) { return std::to_string(number); };
    judge
        .ask<decltype(blocks_needed)>(text(n) + " = " + text(n / block) + " * " + text(block) +
                                      " + " + text(n % block) + " elements in blocks of " +
                                      text(block))
        .needs_no_kernel()
        .with(n, block)
        .returns(blocks);
  };
  const int block = 32 * judge.number(2, 32), whole = judge.number(3, 1000) * block;
  ask(whole + judge.number(2, block - 2), block);
  ask(whole, block);
  ask(whole + 1, block);
  ask(whole - 1, block);
  ask(judge.number(2, block - 1), block);
  ask(1, block);
  const int odd = 2 * judge.number(20, 500) + 1; // no multiple of a warp
  ask(judge.number(3, 1000) * odd + judge.number(1, odd - 1), odd);
  ask(judge.number(2, 1000), 1);
  auto multiples = judge.ask<decltype(blocks_needed)>("whole blocks of all sizes");
  multiples.needs_no_kernel();
  for (int size = 1; size <= 1024; ++size) {
    const int blocks = judge.number(1, 1000);
    multiples.with(blocks * size, size).returns(blocks);
  }
  ask(1'999'998'976 + 1, 1024); // as a float it is a whole number of blocks
  ask(1'999'999'000, 1000);     // as a float n + 999 is a whole block more
  judge.run();
}
