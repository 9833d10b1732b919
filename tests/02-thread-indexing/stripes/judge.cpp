// Judges exercise 02-thread-indexing/stripes: wide and tall images, with and without a remainder,
// and a launch that fails.
#include "common/grader/judge/judge.hpp"
#include "exercises/02-thread-indexing/stripes.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(stripes)>;

void ask_also(Question question, int width, int height, int stripe) {
  std::vector<int> image;
  for (int row = 0; row < height; ++row)
    for (int col = 0; col < width; ++col)
      image.push_back((col + 2 * row) / stripe % 3);
  question.with(course::output(image).shape(width), width, height, stripe);
}

Question ask(course::Judge &judge, int width, int height, int stripe) {
  auto question = judge.ask<decltype(stripes)>("an image of " + std::to_string(width) + " x " +
                                               std::to_string(height) + " pixels, stripes of " +
                                               std::to_string(stripe));
  ask_also(question, width, height, stripe);
  return question;
}

} // namespace

TEST_CASE("the stripes are slanted and reach every edge") {
  course::Judge judge;
  ask(judge, 128, 64, 5);
  for (auto [width, height] : judge.shapes(20'000))
    ask(judge, width, height, judge.number(1, 9));
  ask(judge, 1, 1, 1);
  ask(judge, judge.number(100, 200), judge.number(20, 90), judge.number(150, 400)); // wide ones
  judge.run();
}

TEST_CASE("long images, and stripes of all widths") {
  course::Judge judge;
  ask(judge, judge.number(2, 9), judge.number(40'000, 50'000), judge.number(3, 9));
  ask(judge, judge.number(40'000, 50'000), judge.number(2, 9), judge.number(3, 9));
  for (int stripe : {65'537, 70'001, 100'000}) // 2 * row alone is more than 65535
    ask(judge, judge.number(2, 9), judge.number(40'000, 50'000), stripe);
  for (int stripe : {41, 47, 55, 61, 82, 83}) // times the reciprocal in float it is less than 1
    ask(judge, judge.number(200, 300), judge.number(5, 9), stripe);
  judge.run();
}

TEST_CASE("one image after the other; a launch that fails; a kernel that does nothing") {
  course::Judge judge;
  const int width = judge.number(50, 100), height = judge.number(101, 200);
  const Question question = ask(judge, width, height, 4);
  ask_also(question, 2 * width, height, 4); // one change at a time
  ask_also(question, 2 * width, height, 4); // nothing does: the image is to be painted again
  ask_also(question, 2 * width, 2 * height, 4);
  ask_also(question, 2 * width, 2 * height, 7);
  ask_also(question, width, height, 4);
  ask(judge, width, height, 5).launches_fail().fails("invalid argument");
  ask(judge, 32 * judge.number(1, 3) + 31, 32 * judge.number(3, 5) + 31, 5).without_kernels();
  judge.run();
}

TEST_CASE("more pixels than 1024 blocks of 1024 threads", "[large]") {
  course::Judge judge;
  ask(judge, 1999, 2001, 7); // and as many as there may be
  judge.run();
}
