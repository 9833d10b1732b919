// Judges exercise 02-thread-indexing/ownership. No image is square, and few are a multiple of the
// block, so that swapped directions, a grid rounded down and a missing guard all show.
#include "exercises/02-thread-indexing/ownership.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

void ask(course::Judge &judge, int width, int height, int block_width, int block_height) {
  std::vector<int> owner;
  const int blocks_in_a_row = (width + block_width - 1) / block_width;
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      owner.push_back(row / block_height * blocks_in_a_row + col / block_width);
  const auto size = [](int x, int y) { return std::to_string(x) + " x " + std::to_string(y); };
  judge
      .ask<decltype(ownership)>("an image of " + size(width, height) + " pixels, blocks of " +
                                size(block_width, block_height))
      .with(course::output(owner).shape(width), width, height, block_width, block_height);
}

} // namespace

TEST_CASE("each pixel has the number of its block") {
  course::Judge judge;
  ask(judge, 24, 8, 8, 4);
  ask(judge, 37, 11, 8, 4);
  ask(judge, 11, 37, 8, 4);
  ask(judge, 5, 3, 32, 8);
  ask(judge, 1, 1, 16, 16);
  ask(judge, 1000, 3, 7, 100);
  ask(judge, judge.number(100, 300), judge.number(20, 90), judge.number(3, 20),
      judge.number(3, 20));
  judge.run();
}
