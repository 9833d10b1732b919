// Judges exercise 10-streams/too-early: films of any size, with the streams' work in each order;
// and that a frame may be loaded while the device works on another.
#include "exercises/10-streams/too-early.hpp"
#include "common/grader/judge.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using Question = course::Question<decltype(too_early)>;

void ask_also(course::Judge &judge, Question question, int frames, int pixels) {
  std::vector<float> film, negative;
  for (int i = 0; i < frames * pixels; ++i) { // 1 minus such a number is not rounded
    film.push_back(judge.number(0, 4096) * 0x1p-12f);
    negative.push_back(1 - film.back());
  }
  question.with(frames, pixels, film, course::output(negative).shape(pixels));
}

Question ask(course::Judge &judge, int frames, int pixels, const std::string &also = "") {
  auto question = judge.ask<decltype(too_early)>(std::to_string(frames) + " frames of " +
                                                 std::to_string(pixels) + " pixels" + also);
  ask_also(judge, question, frames, pixels);
  return question;
}

} // namespace

TEST_CASE("each frame is inverted") {
  course::Judge judge;
  int frames = 1;
  for (int pixels : judge.sizes(20'000))
    ask(judge, frames++, pixels);
  judge.run();
}

TEST_CASE("in another order of the streams; several films; and kernels that do nothing") {
  course::Judge judge;
  const int frames = judge.number(5, 9), pixels = judge.number(1000, 3000);
  for (const char *order : {"reverse", "random:1", "random:2"})
    ask(judge, frames, pixels, std::string(", streams in another order: ") + order)
        .environment("COURSE_CPU_ORDER", order);
  const Question several = ask(judge, frames, pixels, ", then a shorter film, then a longer one");
  ask_also(judge, several, 2, pixels);
  ask_also(judge, several, frames + 3, pixels);
  ask(judge, frames, pixels, ", kernels do nothing").without_kernels();
  judge.run();
}

TEST_CASE("the next frame is on its way while the device works") {
  course::Judge judge;
  const int frames = judge.number(12, 16);
  // Two of the three operations of each frame are in a chain if a kernel works with each frame and
  // only then it is copied back; all three if each frame is loaded after that.
  ask(judge, frames, judge.number(1000, 3000), ", counted")
      .at_most(&course::Work::chain, 5 * frames / 2,
               "a frame is loaded when the one before it is done: both are in the same stream, or "
               "the host waits in the loop.");
  judge.run();
}
