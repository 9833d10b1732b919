// Judges exercise 02-thread-indexing/stripes: wide and tall images, with and without a remainder.
#include "exercises/02-thread-indexing/stripes.hpp"
#include "tests/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

void ask(course::Judge &judge, int width, int height, int stripe) {
  std::vector<int> image;
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      image.push_back((col + 2 * row) / stripe % 3);
  judge
      .ask<decltype(stripes)>("an image of " + std::to_string(width) + " x " +
                              std::to_string(height) + " pixels, stripes of " +
                              std::to_string(stripe))
      .with(course::output(image).shape(width), width, height, stripe);
}

} // namespace

TEST_CASE("the stripes are slanted and reach every edge") {
  course::Judge judge;
  ask(judge, 128, 64, 5);
  ask(judge, 75, 21, 5);
  ask(judge, 21, 75, 4);
  ask(judge, 1, 1, 1);
  ask(judge, 333, 2, 7);
  ask(judge, judge.number(100, 200), judge.number(20, 90), judge.number(1, 9));
  judge.run();
}
