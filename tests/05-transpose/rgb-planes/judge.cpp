// Judges exercise 05-transpose/rgb-planes: pictures of all sizes; and what the warps ask of the
// memory is counted.
#include "common/grader/judge/judge.hpp"
#include "exercises/05-transpose/rgb-planes.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(rgb_planes)>;

Question ask(course::Judge &judge, int pixels, const std::string &also = "") {
  return judge.ask<decltype(rgb_planes)>(std::to_string(pixels) + " pixels" + also);
}

void call(Question question, const std::vector<float> &rgb) {
  const int pixels = int(rgb.size() / 3);
  std::vector<float> planes;
  for (int colour = 0; colour < 3; ++colour)
    for (int i = 0; i < pixels; ++i)
      planes.push_back(rgb[3 * i + colour]);
  question.with(pixels, rgb, course::output(planes).shape(pixels));
}

void call(course::Judge &judge, Question question, int pixels) {
  call(question, judge.sprinkled(judge.numbers<float>(3 * pixels), {-0.0f, INFINITY, NAN}));
}

} // namespace

TEST_CASE("red, green and blue, each in its plane") {
  course::Judge judge;
  for (int pixels : judge.sizes(300'000))
    call(judge, ask(judge, pixels), pixels);
  judge.run();
}

TEST_CASE("several pictures in one process; and a kernel that does nothing") {
  course::Judge judge;
  auto several = ask(judge, 1000, " and more, one after the other");
  for (int pixels : {1000, judge.number(1, 300), judge.number(2000, 3000)})
    call(judge, several, pixels);
  auto rgb = judge.numbers<float>(3000);
  call(several, rgb);
  rgb[1500] = 2; // this number only
  call(several, rgb);
  auto idle = ask(judge, 1023, ", while kernels do nothing");
  call(judge, idle, 1023);
  idle.without_kernels();
  judge.run();
}

TEST_CASE("coalesced loads and stores, no bank conflicts") {
  course::Judge judge;
  for (int pixels : {1024, 8 * judge.number(150, 400), 8 * judge.number(401, 900) + 5,
                     8 * judge.number(12, 31)}) { // the last one in a block
    auto question = ask(judge, pixels, ", counted");
    call(judge, question, pixels);
    // A request of 4 sectors that does not begin with one costs one more, as where a block is no
    // whole number of warps, and for planes that begin elsewhere. A stride of 3 costs 12.
    const std::uint64_t warps = (3 * pixels + 31) / 32 + 3, sectors = 5 * warps;
    question
        .at_least(&course::Work::global_store_bytes, 3 * sizeof(float) * pixels,
                  "a number that is 0 is not stored.")
        .at_most(&course::Work::global_load_bytes, 3 * sizeof(float) * pixels,
                 "a number is loaded twice.")
        .at_most(&course::Work::global_load_sectors, sectors,
                 "each thread loads the numbers of its own pixel, so neighbouring lanes load every "
                 "third float.")
        .at_most(&course::Work::global_store_sectors, pixels % 8 == 0 ? sectors : 6 * warps,
                 "neighbouring lanes store different colours, which lie in different planes.")
        .at_most(&course::Work::shared_load_conflicts, 0,
                 "the lanes of a warp read numbers of one bank.")
        .at_most(&course::Work::shared_store_conflicts, 0,
                 "the lanes of a warp write numbers of one bank.");
  }
  judge.run();
}

TEST_CASE("as many pixels as there may be", "[large]") {
  course::Judge judge;
  const int pixels = judge.number(1'990'000, 2'000'000);
  call(judge, ask(judge, pixels), pixels);
  judge.run();
}
