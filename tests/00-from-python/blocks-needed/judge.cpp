// Judges exercise 00-from-python/blocks-needed, from one element to the most.
#include "common/grader/judge.hpp"
#include "exercises/00-from-python/blocks-needed.hpp"

#include <catch2/catch_test_macros.hpp>

TEST_CASE("blocks that cover n elements") {
  course::Judge judge;
  const auto needed = [](int n, int block) { return n / block + (n % block > 0 ? 1 : 0); };
  const auto ask = [&](int n, int block) {
    const auto text = [](int number) { return std::to_string(number); };
    judge
        .ask<decltype(blocks_needed)>(text(n) + " = " + text(n / block) + " * " + text(block) +
                                      " + " + text(n % block) + " elements in blocks of " +
                                      text(block))
        .needs_no_kernel()
        .with(n, block)
        .returns(needed(n, block));
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
  const int n = judge.number(100'000, 200'000);
  auto several =
      judge.ask<decltype(blocks_needed)>("the same elements in other blocks, and others");
  several.needs_no_kernel();
  for (auto [elements, size] : {std::pair(n, 256), {n, 128}, {2 * n, 128}, {n, 256}})
    several.with(elements, size).returns(needed(elements, size));
  ask(2'000'000'000, 1);
  ask(1'999'998'976 + 1, 1024); // as a float it is a whole number of blocks
  ask(1'999'999'000, 1000);     // as a float n + 999 is a whole block more
  judge.run();
}
