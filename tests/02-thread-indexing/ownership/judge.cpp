// Judges exercise 02-thread-indexing/ownership. Few images are square, and few are a multiple of
// the block, so that swapped directions, a grid rounded down and a missing guard all show.
#include "common/grader/judge/judge.hpp"
#include "exercises/02-thread-indexing/ownership.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(ownership)>;

void ask_also(Question question, int width, int height, int block_width, int block_height) {
  std::vector<int> owner, along_y;
  const int blocks_in_a_row = (width + block_width - 1) / block_width,
            blocks_in_a_column = (height + block_height - 1) / block_height;
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col) {
      owner.push_back(row / block_height * blocks_in_a_row + col / block_width);
      along_y.push_back(col / block_width * blocks_in_a_column + row / block_height);
    }
  question.with(course::output(owner).shape(width).often(
                    along_y, "numbers that count along y first: y * gridDim.x + x counts along x"),
                width, height, block_width, block_height);
}

std::string size(int x, int y) { return std::to_string(x) + " x " + std::to_string(y); }

Question ask(course::Judge &judge, int width, int height, int block_width, int block_height) {
  auto question =
      judge.ask<decltype(ownership)>("an image of " + size(width, height) + " pixels, blocks of " +
                                     size(block_width, block_height));
  question
      .launches_grid_of((width + block_width - 1) / block_width,
                        (height + block_height - 1) / block_height)
      .launches_blocks_of(block_width, block_height);
  ask_also(question, width, height, block_width, block_height);
  return question;
}

} // namespace

TEST_CASE("each pixel has the number of its block") {
  course::Judge judge;
  ask(judge, 37, 11, 8, 4);
  for (auto [width, height] : judge.shapes(9000)) {
    const int block_width = judge.number(2, 40);
    ask(judge, width, height, block_width, judge.number(1, 1024 / block_width));
  }
  ask(judge, 24, 8, 8, 4);
  ask(judge, judge.number(1, 31), judge.number(1, 7), 32, 8); // one block
  judge.run();
}

TEST_CASE("blocks far from square, and of one thread") {
  course::Judge judge;
  const int width = judge.number(50, 300), height = judge.number(301, 2000);
  ask(judge, width, height, 1, 1024);
  ask(judge, height, width, 1024, 1);
  ask(judge, 300, height, 1, 1); // more blocks than 65535
  // times the reciprocal, in float or double, one or three of these are less or more than that
  for (int side : {15, 41, 47, 91, 105})
    ask(judge, 3 * side, side + 1, side, 1024 / side);
  ask(judge, judge.number(2, 9), judge.number(40'000, 50'000), 4, 1); // as many as there may be
  ask(judge, judge.number(40'000, 50'000), judge.number(2, 9), 1, 4);
  judge.run();
}

TEST_CASE("one image after the other; and a kernel that does nothing") {
  course::Judge judge;
  const int width = judge.number(50, 100), height = judge.number(101, 200);
  Question question = ask(judge, width, height, 7, 5);
  ask_also(question, 2 * width, height, 7, 5); // one change at a time
  ask_also(question, 2 * width, height, 7, 5); // nothing does: owner is to be written again
  ask_also(question, 2 * width, 2 * height, 7, 5);
  ask_also(question, 2 * width, 2 * height, 5, 5);
  ask_also(question, 2 * width, 2 * height, 5, 3);
  ask_also(question, width, height, 7, 5);
  ask(judge, 32 * judge.number(1, 3) + 31, 32 * judge.number(3, 5) + 31, 16, 4).without_kernels();
  judge.run();
}

TEST_CASE("more blocks and more pixels than 2^20", "[large]") {
  course::Judge judge;
  ask(judge, 1999, 2001, 2, 1); // and as many as there may be

  judge.run();
}
